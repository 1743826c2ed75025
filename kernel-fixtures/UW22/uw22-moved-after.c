// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer is replaced on some paths, or moved, after the range of one object was checked
 * Rule: UW22, UW05
 */
#include <linux/errno.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>

int uw22_moved_after_replaced(u32 __user *to, unsigned long other, u32 value)
{
	u32 __user *p = to;

	if (!user_write_access_begin(p, sizeof(*p)))
		return -EFAULT;
	if (value & 1)
		p = (u32 __user *)other;
	unsafe_put_user(value, p, efault);	/* want: UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

enum { UW22_MOVED_AFTER_FIRST };

int uw22_moved_after_constant_clean(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to[UW22_MOVED_AFTER_FIRST], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_moved_after_checked(u32 __user *to, const u32 *values, unsigned int n)
{
	if (!access_ok(to, n * sizeof(*to)))
		return -EFAULT;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	while (n--)
		unsafe_put_user(values[n], &to[n], efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_moved_after_indexed(u32 __user *to, unsigned int n, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to[n], efault);	/* want: UW22, UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_moved_after_added(u32 __user *to, unsigned int n, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	to += n;
	unsafe_put_user(value, to, efault);	/* want: UW22, UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_moved_after_each_clean(u32 __user *to, const u32 *values, unsigned int n)
{
	for (; n; n--, to++) {
		if (!user_write_access_begin(to, sizeof(*to)))
			return -EFAULT;
		unsafe_put_user(*values++, to, efault);
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_moved_after_last_clean(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	to++;
	return put_user(value, to);
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_moved_after_other_clean(u32 __user *to, u32 __user *other, u32 value)
{
	u32 __user *p = to;

	if (!user_write_access_begin(p, sizeof(*p)))
		return -EFAULT;
	if (value) {
		user_write_access_end();
		p = other;
		if (!user_write_access_begin(other, sizeof(*other)))
			return -EFAULT;
	}
	while (p) {
		unsafe_put_user(value, p, efault);
		p = NULL;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_moved_after_all_clean(u32 __user *to, const u32 *values, unsigned int n)
{
	unsigned int i;

	if (!user_write_access_begin(to, n * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(values[i], &to[i], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
