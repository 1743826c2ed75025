// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an inline helper calls a function that prints
 * Rule: UW06
 */
#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/uaccess.h>

static u32 uw06_inline_that_prints_checked(u32 value)
{
	pr_info("stored %u\n", value);
	return value;
}

static __always_inline u32 uw06_inline_that_prints_next(u32 value)
{
	return uw06_inline_that_prints_checked(value) + 1;
}

int uw06_inline_that_prints(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(uw06_inline_that_prints_next(value), to, efault);	/* want[spatch, smatch, objtool, objects]: UW06 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw06_inline_that_prints_clean(u32 __user *to, u32 value)
{
	value = uw06_inline_that_prints_next(value);
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
