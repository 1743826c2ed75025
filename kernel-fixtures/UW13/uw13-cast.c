// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scope on a cast of an integer, with a size
 * Rule: UW13
 * Tree: scoped
 * Build: never, the scope would have to declare a cast
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw13_cast(unsigned long address, void *to, size_t size)
{
	scoped_user_read_access_size((void __user *)address, size, efault) {	/* want: UW13 */
		unsafe_get_user(*(u32 *)to, (u32 __user *)address, efault);
	}
	return 0;
efault:
	return -EFAULT;
}

int uw13_cast_clean(unsigned long address, u32 *to)
{
	u32 __user *from = (u32 __user *)address;

	scoped_user_read_access(from, efault) {
		unsafe_get_user(*to, from, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
