// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault label outside a block with a __cleanup variable, in a loop
 * Rule: UW12
 * Arch: x86
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline void uw12_cleanup_drop(int *held)
{
	*held = 0;
}

int uw12_cleanup(u32 __user *word, u32 *old, u32 new, int rounds)
{
	int ret = -EFAULT;

	if (!user_access_begin(word, sizeof(*word)))
		return ret;
	while (rounds--) {
		int held __cleanup(uw12_cleanup_drop) = rounds;

		if (!unsafe_try_cmpxchg_user(word, old, new, out))	/* want: UW12 */
			continue;
		ret = held;
		break;
	}
out:
	user_access_end();
	return ret;
}

int uw12_cleanup_clean(u32 __user *word, u32 *old, u32 new, int rounds)
{
	int held __cleanup(uw12_cleanup_drop) = rounds;
	int ret = -EFAULT;

	if (!user_access_begin(word, sizeof(*word)))
		return ret;
	while (rounds--) {
		if (!unsafe_try_cmpxchg_user(word, old, new, out))
			continue;
		ret = held;
		break;
	}
out:
	user_access_end();
	return ret;
}
