// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an element after the end of the range
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_array_index(u16 __user *slots, u16 first, u16 last)
{
	if (!user_write_access_begin(slots, 4 * sizeof(*slots)))
		return -EFAULT;
	unsafe_put_user(first, &slots[0], efault);
	unsafe_put_user(last, slots + 4, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_array_index_clean(u16 __user *slots, u16 first, u16 last)
{
	if (!user_write_access_begin(slots, 4 * sizeof(*slots)))
		return -EFAULT;
	unsafe_put_user(first, &slots[0], efault);
	unsafe_put_user(last, slots + 3, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
