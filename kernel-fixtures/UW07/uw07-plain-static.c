// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper in a window is plain static, or noinline
 * Rule: UW06, UW07
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw07_plain_static {
	u32 first;
	u32 second;
};

static u32 uw07_plain_static_mix(u32 a, u32 b)
{
	return (a ^ b) >> 3;
}

static noinline u32 uw07_plain_static_apart(u32 a, u32 b)
{
	return (a ^ b) >> 5;
}

static __always_inline u32 uw07_plain_static_always(u32 a, u32 b)
{
	return (a ^ b) >> 7;
}

int uw07_plain_static(struct uw07_plain_static __user *to, u32 a, u32 b)
{
	u32 mixed, apart;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	mixed = uw07_plain_static_mix(a, b);	/* want: UW07 */
	unsafe_put_user(mixed, &to->first, efault);
	apart = uw07_plain_static_apart(a, b);	/* want: UW06 */
	unsafe_put_user(apart, &to->second, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw07_plain_static_clean(struct uw07_plain_static __user *to, u32 a, u32 b)
{
	u32 mixed;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	mixed = uw07_plain_static_always(a, b);
	unsafe_put_user(mixed, &to->first, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
