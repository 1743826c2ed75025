// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault label between two cleanup scopes
 * Rule: UW12
 * Arch: x86
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline void uw12_nested_drop(int *held)
{
	*held = 0;
}

int uw12_nested(u32 __user *word, u32 *old, u32 new)
{
	int outer __cleanup(uw12_nested_drop) = 1;
	int ret = 0;

	if (!user_access_begin(word, sizeof(*word)))
		return -EFAULT;
	{
		int inner __cleanup(uw12_nested_drop) = 2;

		if (unsafe_try_cmpxchg_user(word, old, new, efault))	/* want: UW12 */
			ret = outer + inner;
	}
	user_access_end();
	return ret;
efault:
	user_access_end();
	return -EFAULT;
}

int uw12_nested_clean(u32 __user *word, u32 *old, u32 new)
{
	int outer __cleanup(uw12_nested_drop) = 1;
	int ret = 0;

	if (!user_access_begin(word, sizeof(*word)))
		return -EFAULT;
	if (unsafe_try_cmpxchg_user(word, old, new, efault))
		ret = outer;
	user_access_end();
	return ret;
efault:
	user_access_end();
	return -EFAULT;
}
