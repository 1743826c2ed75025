// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault label that ends the window of a scope again
 * Rule: UW16, UW02
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw16_end_at_label(u32 __user *to, u32 value)
{
	scoped_user_write_access(to, efault)
		unsafe_put_user(value, to, efault);
	return 0;
efault:
	user_write_access_end();	/* want: UW16 */ /* want[smatch, objtool, objects]: UW02 */
	return -EFAULT;
}

int uw16_end_at_label_clean(u32 __user *to, u32 value)
{
	scoped_user_write_access(to, efault)
		unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}
