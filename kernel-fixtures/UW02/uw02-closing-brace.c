// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a void function ends with the window open
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

void uw02_closing_brace(u32 __user *counter, u32 value)
{
	if (user_write_access_begin(counter, sizeof(*counter))) {
		unsafe_put_user(value, counter, efault);
efault:
		;
	}
}	/* want: UW02 */

void uw02_closing_brace_clean(u32 __user *counter, u32 value)
{
	if (user_write_access_begin(counter, sizeof(*counter))) {
		unsafe_put_user(value, counter, efault);
efault:
		user_write_access_end();
	}
}
