// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer fetched in the window is dereferenced in it
 * Rule: UW05, UW22
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw22_pointer_from_user {
	u32 head;
	u32 tail;
};

int uw22_pointer_from_user(const struct uw22_pointer_from_user __user * __user *list, u32 *tail)
{
	const struct uw22_pointer_from_user __user *ring;

	if (!user_read_access_begin(list, sizeof(*list)))
		return -EFAULT;
	unsafe_get_user(ring, list, efault);
	unsafe_get_user(*tail, &ring->tail, efault);	/* want: UW05, UW22 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw22_pointer_from_user_clean(const struct uw22_pointer_from_user __user * __user *list, u32 *tail)
{
	const struct uw22_pointer_from_user __user *ring;

	if (get_user(ring, list))
		return -EFAULT;
	if (!user_read_access_begin(ring, sizeof(*ring)))
		return -EFAULT;
	unsafe_get_user(*tail, &ring->tail, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
