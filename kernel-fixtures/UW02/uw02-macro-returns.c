// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the return in the window comes from a macro, which may access user memory
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define uw02_macro_returns_CHECK(value)	\
do {	\
	if ((value) < 0)	\
		return -EINVAL;	\
} while (0)

#define uw02_macro_returns_PUT(value, to)	\
do {	\
	__label__ efault;	\
	unsafe_put_user(value, to, efault);	\
	break;	\
efault:	\
	return -EIO;	\
} while (0)

int uw02_macro_returns(int __user *to, int first, int second)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(first, to, efault);
	uw02_macro_returns_CHECK(second);	/* want: UW02 */
	unsafe_put_user(second, to + 1, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw02_macro_returns_put(int __user *to, int value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	uw02_macro_returns_PUT(value, to);	/* want: UW02 */
	user_write_access_end();
	return 0;
}

int uw02_macro_returns_clean(int __user *to, int first, int second)
{
	uw02_macro_returns_CHECK(second);
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(first, to, efault);
	unsafe_put_user(second, to + 1, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
