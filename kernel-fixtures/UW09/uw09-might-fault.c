// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the hook for faults is called with user access open
 * Rule: UW09
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/uaccess.h>

int uw09_might_fault(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	might_fault();	/* want[spatch, smatch]: UW09 */
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw09_might_fault_clean(u32 __user *to, u32 value)
{
	might_fault();
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
