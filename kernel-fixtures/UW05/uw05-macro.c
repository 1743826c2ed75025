// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro that accesses more than was begun
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_macro {
	u64 sec;
	u64 nsec;
};

#define uw05_macro_put(to, s, n, label) do {			\
	unsafe_put_user(s, &(to)->sec, label);			\
	unsafe_put_user(n, &(to)->nsec, label);			\
} while (0)

int uw05_macro(struct uw05_macro __user *to, u64 s, u64 n)
{
	if (!user_write_access_begin(to, sizeof(to->sec)))
		return -EFAULT;
	uw05_macro_put(to, s, n, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_macro_clean(struct uw05_macro __user *to, u64 s, u64 n)
{
	if (!user_write_access_begin(to, sizeof(to->sec) + sizeof(to->nsec)))
		return -EFAULT;
	uw05_macro_put(to, s, n, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
