// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bound of a loop is rounded up after the range was checked
 * Rule: UW05
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_rounded_in_loop(u64 __user *to, const u64 *values, size_t n)
{
	size_t i;

	if (!user_write_access_begin(to, n * sizeof(*to)))
		return -EFAULT;
	n = ALIGN(n, 4);
	for (i = 0; i < n; i++)
		unsafe_put_user(values[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_in_loop_bound(u8 __user *to, const u8 *values, size_t n)
{
	size_t i;

	if (!user_write_access_begin(to, n))
		return -EFAULT;
	for (i = 0; i < round_up(n, 8); i++)
		unsafe_put_user(values[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_in_loop_within_clean(u8 __user *to, const u8 *values, size_t n)
{
	size_t i;

	if (!user_write_access_begin(to, n))
		return -EFAULT;
	for (i = 0; i < round_up(n, 8); i++)
		if (i < n)
			unsafe_put_user(values[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_rounded_in_loop_before_clean(u64 __user *to, const u64 *values, size_t n)
{
	size_t i;

	n = ALIGN(n, 4);
	if (!user_write_access_begin(to, n * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(values[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
