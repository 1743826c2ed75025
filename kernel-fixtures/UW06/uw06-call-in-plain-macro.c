// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro without parameters in a value hides a call
 * Rule: UW06
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

extern u32 uw06_call_in_plain_macro_serial(void);

#define uw06_call_in_plain_macro_NEXT	uw06_call_in_plain_macro_serial()
#define uw06_call_in_plain_macro_LAST	(lower_32_bits(last) - 1)

int uw06_call_in_plain_macro(u32 __user *to, u64 last)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(uw06_call_in_plain_macro_NEXT, to, efault);	/* want: UW06 */	/* want[clang-tidy]: UW11 */
	unsafe_put_user(uw06_call_in_plain_macro_LAST, to + 1, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw06_call_in_plain_macro_clean(u32 __user *to, u64 last)
{
	u32 serial = uw06_call_in_plain_macro_NEXT;

	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(serial, to, efault);
	unsafe_put_user(uw06_call_in_plain_macro_LAST, to + 1, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
