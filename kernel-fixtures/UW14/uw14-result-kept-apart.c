// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the masked pointer has another name, and one access uses the old one
 * Rule: UW14
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw14_result_kept_apart {
	u32 head;
	u32 tail;
};

int uw14_result_kept_apart(struct uw14_result_kept_apart __user *from, u32 *to)
{
	struct uw14_result_kept_apart __user *safe = from;

	if (can_do_masked_user_access())
		safe = masked_user_access_begin(from);
	else if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(to[0], &safe->head, efault);
	unsafe_get_user(to[1], &from->tail, efault);	/* want: UW14 */
	unsafe_put_user(0, &safe->head, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw14_result_kept_apart_clean(struct uw14_result_kept_apart __user *from, u32 *to)
{
	struct uw14_result_kept_apart __user *safe = from;

	if (can_do_masked_user_access())
		safe = masked_user_access_begin(from);
	else if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(to[0], &safe->head, efault);
	unsafe_get_user(to[1], &safe->tail, efault);
	unsafe_put_user(0, &safe->head, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
