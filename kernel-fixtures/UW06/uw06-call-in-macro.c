// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro between two accesses hides a call
 * Rule: UW06
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

extern void uw06_call_in_macro_account(unsigned int bytes);

#define uw06_call_in_macro_ADVANCE(p)	\
do {	\
	uw06_call_in_macro_account(sizeof(*(p)));	\
	(p)++;	\
} while (0)

int uw06_call_in_macro(u32 __user *to, u32 first, u32 second)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(first, to, efault);
	uw06_call_in_macro_ADVANCE(to);	/* want: UW06 */
	unsafe_put_user(second, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw06_call_in_macro_clean(u32 __user *to, u32 first, u32 second)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(first, to, efault);
	unsafe_put_user(second, to + 1, efault);
	user_write_access_end();
	uw06_call_in_macro_ADVANCE(to);
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
