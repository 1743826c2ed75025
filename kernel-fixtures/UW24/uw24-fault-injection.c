// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one function has a fault injection hook, the other does not
 * Rule: UW24
 */
#include <linux/errno.h>
#include <linux/fault-inject-usercopy.h>
#include <linux/uaccess.h>

int uw24_fault_injection(void __user *to, const u64 *from)
{
	int ret = -EFAULT;

	if (user_write_access_begin(to, sizeof(*from))) {	/* want: UW24 */
		unsafe_put_user(*from, (u64 __user *)to, end);
		ret = 0;
end:
		user_write_access_end();
	}
	return ret;
}

int uw24_fault_injection_clean(void __user *to, const u64 *from)
{
	int ret = -EFAULT;

	if (should_fail_usercopy())
		return ret;
	if (user_write_access_begin(to, sizeof(*from))) {
		unsafe_put_user(*from, (u64 __user *)to, end);
		ret = 0;
end:
		user_write_access_end();
	}
	return ret;
}
