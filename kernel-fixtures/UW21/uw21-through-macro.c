// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function without a window accesses user memory through a macro alone
 * Rule: UW21
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define uw21_through_macro_put(to, value, label)	unsafe_put_user(value, to, label)
#define uw21_through_macro_both(to, value, label)	\
do {	\
	uw21_through_macro_put(to, value, label);	\
	uw21_through_macro_put((to) + 1, 0, label);	\
} while (0)

int uw21_through_macro(u32 __user *to, u32 value)
{
	uw21_through_macro_both(to, value, efault);	/* want: UW21 */
	return 0;
efault:
	return -EFAULT;
}

int uw21_through_macro_clean(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	uw21_through_macro_both(to, value, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The macro is for the window of the caller. */
static __always_inline int uw21_through_macro_inside(u32 __user *to, u32 value)
{
	uw21_through_macro_both(to, value, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw21_through_macro_inside_clean(u32 __user *to, u32 value)
{
	int ret;

	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	ret = uw21_through_macro_inside(to, value);
	user_write_access_end();
	return ret;
}
