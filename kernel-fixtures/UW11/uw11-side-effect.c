// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an assignment in the pointer argument
 * Rule: UW11
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw11_side_effect {
	u32 head;
	u32 tail;
};

int uw11_side_effect(struct uw11_side_effect __user *to, u32 value)
{
	u32 __user *slot;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, slot = &to->tail, efault);	/* want: UW11 */
	user_write_access_end();
	return slot == &to->head;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw11_side_effect_clean(struct uw11_side_effect __user *to, u32 value)
{
	u32 __user *slot;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	slot = &to->tail;
	unsafe_put_user(value, slot, efault);
	user_write_access_end();
	return slot == &to->head;
efault:
	user_write_access_end();
	return -EFAULT;
}
