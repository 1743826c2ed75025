// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the fault label uses what only the access sets
 * Rule: UW26
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw26_value_not_set {
	u32 head;
	u32 tail;
};

u32 uw26_value_not_set(struct uw26_value_not_set __user *from)
{
	u32 head;

	if (!user_read_access_begin(from, sizeof(*from)))
		return 0;
	unsafe_get_user(head, &from->head, out);
out:
	user_read_access_end();
	return head;	/* want: UW26 */
}

int uw26_value_not_set_of_two(struct uw26_value_not_set __user *from, u32 *to)
{
	struct uw26_value_not_set all;
	int ret = -EFAULT;

	if (!user_read_access_begin(from, sizeof(*from)))
		return ret;
	unsafe_get_user(all.head, &from->head, out);
	unsafe_get_user(all.tail, &from->tail, out);
	ret = 0;
out:
	user_read_access_end();
	*to = all.tail;	/* want: UW26 */
	return ret;
}

u32 uw26_value_not_set_clean(struct uw26_value_not_set __user *from)
{
	u32 head;

	if (!user_read_access_begin(from, sizeof(*from)))
		return 0;
	unsafe_get_user(head, &from->head, efault);
out:
	user_read_access_end();
	return head;
efault:
	head = 0;
	goto out;
}

int uw26_value_not_set_unless(struct uw26_value_not_set __user *from, u32 *to)
{
	struct uw26_value_not_set all;
	int ret = -EFAULT;

	if (!user_read_access_begin(from, sizeof(*from)))
		return ret;
	unsafe_get_user(all.head, &from->head, out);
	unsafe_get_user(all.tail, &from->tail, out);
	ret = 0;
out:
	user_read_access_end();
	if (!ret)
		*to = all.tail;
	return ret;
}

/* As fault_in_readable() does. */
int uw26_value_not_set_dropped(struct uw26_value_not_set __user *from)
{
	u32 head;
	int ret = -EFAULT;

	if (!user_read_access_begin(from, sizeof(*from)))
		return ret;
	unsafe_get_user(head, &from->head, out);
	ret = 0;
out:
	user_read_access_end();
	(void)head;
	return ret;
}
