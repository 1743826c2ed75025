// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the body of a scope gives the address that is not masked to a helper
 * Rule: UW14
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int uw14_outer_to_helper_put(unsigned long to, u32 value)
{
	unsafe_put_user(value, (u32 __user *)to, efault);	/* want[clang-tidy]: UW14 */
	return 0;
efault:
	return -EFAULT;
}

int uw14_outer_to_helper(unsigned long ea, u32 value)
{
	void __user *uea = (void __user *)ea;

	scoped_user_write_access_size(uea, sizeof(u32), efault)
		return uw14_outer_to_helper_put(ea, value);	/* want[spatch]: UW14 */
efault:
	return -EFAULT;
}

int uw14_outer_to_helper_clean(unsigned long ea, u32 value)
{
	void __user *uea = (void __user *)ea;

	scoped_user_write_access_size(uea, sizeof(u32), efault)
		return uw14_outer_to_helper_put((unsigned long)uea, value);
efault:
	return -EFAULT;
}
