// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro begins, and returns or jumps if that fails
 * Rule: UW01, UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define uw02_macro_begins_OR_RETURN(to)	\
	if (!user_write_access_begin(to, sizeof(*(to))))	\
		return -EFAULT

#define uw02_macro_begins_OR_JUMP(to, label)	\
do {	\
	if (!user_write_access_begin(to, sizeof(*(to))))	\
		goto label;	\
} while (0)

int uw02_macro_begins(u32 __user *to, u32 value)
{
	uw02_macro_begins_OR_RETURN(to);
	if (!value)
		return -EINVAL;	/* want: UW02 */
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw02_macro_begins_clean(u32 __user *to, u32 value)
{
	if (!value)
		return -EINVAL;
	uw02_macro_begins_OR_RETURN(to);
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw02_macro_begins_jumps(u32 __user *to, u32 value)
{
	uw02_macro_begins_OR_JUMP(to, efault);	/* want: UW01 */
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}

int uw02_macro_begins_jumps_clean(u32 __user *to, u32 value)
{
	uw02_macro_begins_OR_JUMP(to, out);
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
out:
	return -EFAULT;
}
