// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the address of a member is taken before the pointer is masked
 * Rule: UW14
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw14_member_before_mask {
	u32 head;
	u32 tail;
};

int uw14_member_before_mask(struct uw14_member_before_mask __user *from, u32 *to)
{
	u32 __user *tail = &from->tail;

	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	else if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(to[0], &from->head, efault);
	unsafe_get_user(to[1], tail, efault);	/* want: UW14 */
	unsafe_put_user(0, &from->head, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw14_member_before_mask_clean(struct uw14_member_before_mask __user *from, u32 *to)
{
	u32 __user *tail;

	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	else if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	tail = &from->tail;
	unsafe_get_user(to[0], &from->head, efault);
	unsafe_get_user(to[1], tail, efault);
	unsafe_put_user(0, &from->head, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
