// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper loads in its caller's write window
 * Rule: UW04
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int uw04_helper_load(const u32 __user *from, u32 *to)
{
	unsafe_get_user(*to, from, efault);	/* want: UW04 */
	return 0;
efault:
	return -EFAULT;
}

static __always_inline int uw04_helper_load_clean(const u32 __user *from, u32 *to)
{
	unsafe_get_user(*to, from, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw04_helper(u32 __user *word, u32 *old, u32 new)
{
	int ret;

	if (!user_write_access_begin(word, sizeof(*word)))
		return -EFAULT;
	ret = uw04_helper_load(word, old);
	if (!ret)
		unsafe_put_user(new, word, efault);
	user_write_access_end();
	return ret;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw04_helper_clean(u32 __user *word, u32 *old, u32 new)
{
	int ret;

	if (!user_access_begin(word, sizeof(*word)))
		return -EFAULT;
	ret = uw04_helper_load_clean(word, old);
	if (!ret)
		unsafe_put_user(new, word, efault);
	user_access_end();
	return ret;
efault:
	user_access_end();
	return -EFAULT;
}
