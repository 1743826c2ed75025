// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value from a helper that is only static inline, in a loop
 * Rule: UW07
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static inline u32 uw07_inline_in_value_pack(u32 value)
{
	return value << 8 | value >> 24;
}

static __always_inline u32 uw07_inline_in_value_pack_always(u32 value)
{
	return value << 8 | value >> 24;
}

int uw07_inline_in_value(u32 __user *to, const u32 *values)
{
	int i;

	if (!user_write_access_begin(to, 4 * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < 4; i++)
		unsafe_put_user(uw07_inline_in_value_pack(values[i]), &to[i], efault);	/* want: UW07 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw07_inline_in_value_clean(u32 __user *to, const u32 *values)
{
	int i;

	if (!user_write_access_begin(to, 4 * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < 4; i++)
		unsafe_put_user(uw07_inline_in_value_pack_always(values[i]), &to[i], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
