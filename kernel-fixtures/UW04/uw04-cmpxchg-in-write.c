// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a read-modify-write in a write window
 * Rule: UW04
 * Known: 9dc086f1e9ef, futex on powerpc
 * Arch: x86
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw04_cmpxchg_in_write(u32 __user *word, u32 old, u32 new)
{
	int ret;

	if (!user_write_access_begin(word, sizeof(*word)))
		return -EFAULT;
	ret = !unsafe_try_cmpxchg_user(word, &old, new, efault);	/* want: UW04 */
	user_write_access_end();
	return ret;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw04_cmpxchg_in_write_clean(u32 __user *word, u32 old, u32 new)
{
	int ret;

	if (!user_access_begin(word, sizeof(*word)))
		return -EFAULT;
	ret = !unsafe_try_cmpxchg_user(word, &old, new, efault);
	user_access_end();
	return ret;
efault:
	user_access_end();
	return -EFAULT;
}
