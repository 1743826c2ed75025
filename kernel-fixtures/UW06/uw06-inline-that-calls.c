// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a static inline helper whose only statement is a call
 * Rule: UW06, UW07
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

u32 uw06_inline_that_calls_extern(u32 value);

static inline u32 uw06_inline_that_calls_next(u32 value)
{
	return uw06_inline_that_calls_extern(value + 1);
}

static __always_inline u32 uw06_inline_that_calls_twice(u32 value)
{
	return value * 2;
}

int uw06_inline_that_calls(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(uw06_inline_that_calls_next(value), to, efault);	/* want[spatch, smatch, objtool, objects]: UW06 */ /* want[clang-tidy]: UW07 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw06_inline_that_calls_clean(u32 __user *to, u32 value)
{
	value = uw06_inline_that_calls_next(value);
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(uw06_inline_that_calls_twice(value), to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
