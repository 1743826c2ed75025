// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault label outside the scope of a guard
 * Rule: UW12
 * Known: B28: why linux/uaccess.h wraps unsafe_get_user() and unsafe_put_user()
 * Arch: x86
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline void uw12_guard_lock(u32 *count)
{
	*count += 1;
}

static __always_inline void uw12_guard_unlock(u32 *count)
{
	*count -= 1;
}

DEFINE_GUARD(uw12_guard, u32 *, uw12_guard_lock(_T), uw12_guard_unlock(_T))

int uw12_guard(u32 __user *word, u32 *old, u32 new, bool held)
{
	int ret = -EFAULT;

	if (held) {
		guard(uw12_guard)(old);

		if (!user_access_begin(word, sizeof(*word)))
			return ret;
		ret = !unsafe_try_cmpxchg_user(word, old, new, fault);	/* want: UW12 */
		user_access_end();
	}
	return ret;
fault:
	user_access_end();
	return ret;
}

int uw12_guard_clean(u32 __user *word, u32 *old, u32 new, bool held)
{
	int ret = -EFAULT;

	if (held) {
		guard(uw12_guard)(old);

		if (!user_access_begin(word, sizeof(*word)))
			return ret;
		ret = !unsafe_try_cmpxchg_user(word, old, new, fault);
fault:
		user_access_end();
	}
	return ret;
}
