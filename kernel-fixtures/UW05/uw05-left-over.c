// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a word is stored after a loop of two words at once, which may leave none
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_left_over(u32 __user *to, const u32 *from, unsigned long number)
{
	if (!user_write_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	while (number > 1) {
		unsafe_put_user(from[0], to++, efault);
		unsafe_put_user(from[1], to++, efault);
		from += 2;
		number -= 2;
	}
	unsafe_put_user(from[0], to, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_left_over_clean(u32 __user *to, const u32 *from, unsigned long number)
{
	if (!user_write_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	while (number > 1) {
		unsafe_put_user(from[0], to++, efault);
		unsafe_put_user(from[1], to++, efault);
		from += 2;
		number -= 2;
	}
	if (number)
		unsafe_put_user(from[0], to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_left_over_odd(u32 __user *to, const u32 *from, unsigned long number)
{
	if (!(number & 1) || !user_write_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	while (number > 1) {
		unsafe_put_user(from[0], to++, efault);
		unsafe_put_user(from[1], to++, efault);
		from += 2;
		number -= 2;
	}
	unsafe_put_user(from[0], to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
