// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what helpers and assembly in the window access counts, too
 * Rule: UW25
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

#define uw25_helpers_put_pair(a, b, to, label)		\
do {							\
	unsafe_put_user(a, &(to)[0], label);		\
	unsafe_put_user(b, &(to)[1], label);		\
} while (0)

static __always_inline u32 uw25_helpers_packed_clean(u32 a, u32 b)
{
	return a << 16 | b;
}

static __always_inline int uw25_helpers_read_clean(u32 __user *from, u32 *value)
{
	unsafe_get_user(*value, from, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw25_helpers(u32 __user *to, u32 a, u32 b)
{
	if (!user_access_begin(to, 3 * sizeof(*to)))	/* want: UW25 */
		return -EFAULT;
	uw25_helpers_put_pair(a, b, to, efault);
	unsafe_put_user(uw25_helpers_packed_clean(a, b), &to[2], efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw25_helpers_function_clean(u32 __user *to, u32 *old, u32 a, u32 b)
{
	int ret;

	if (!user_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	ret = uw25_helpers_read_clean(to, old);
	if (!ret)
		uw25_helpers_put_pair(a, b, to, efault);
	user_access_end();
	return ret;
efault:
	user_access_end();
	return -EFAULT;
}

/* The instruction may check for read access: dcbst on powerpc does. */
int uw25_helpers_assembly_clean(u32 __user *to, u32 a)
{
	if (!user_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(a, to, efault);
	asm volatile("" : : "r" (to) : "memory");
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
