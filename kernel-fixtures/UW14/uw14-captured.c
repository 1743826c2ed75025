// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure was set to the pointer before the scope
 * Rule: UW14
 * Tree: scoped
 * Unseen: spatch UW14: what the members of a variable are set to is not followed
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw14_captured {
	u32 value;
	u32 __user *to;
};

int uw14_captured(u32 __user *to, u32 value)
{
	struct uw14_captured given = { .to = to, .value = value };

	scoped_user_write_access(to, efault)
		unsafe_put_user(given.value, given.to, efault);	/* want: UW14 */
	return 0;
efault:
	return -EFAULT;
}

int uw14_captured_clean(u32 __user *to, u32 value)
{
	scoped_user_write_access(to, efault) {
		struct uw14_captured given = { .to = to, .value = value };

		unsafe_put_user(given.value, given.to, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
