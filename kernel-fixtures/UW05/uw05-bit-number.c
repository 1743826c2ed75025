// SPDX-License-Identifier: GPL-2.0
/*
 * Title: room for the bits that are set, and an access at the number of one
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_bit_number(u64 __user *to, const u64 *from, unsigned long mask)
{
	if (!mask)
		return 0;
	if (!user_write_access_begin(to, __builtin_popcountl(mask) * sizeof(*to)))
		return -EFAULT;
	while (mask) {
		unsigned int bit = __builtin_ctzl(mask);

		unsafe_put_user(from[bit], to + bit, efault);	/* want: UW05 */
		mask &= mask - 1;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_bit_number_clean(u64 __user *to, const u64 *from, unsigned long mask)
{
	if (!mask)
		return 0;
	if (!user_write_access_begin(to, __builtin_popcountl(mask) * sizeof(*to)))
		return -EFAULT;
	while (mask) {
		unsigned int bit = __builtin_ctzl(mask);

		unsafe_put_user(from[bit], to, efault);
		to++;
		mask &= mask - 1;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_bit_number_all_clean(u64 __user *to, const u64 *from, unsigned long mask)
{
	if (!user_write_access_begin(to, 64 * sizeof(*to)))
		return -EFAULT;
	while (mask) {
		unsigned int bit = __builtin_ctzl(mask);

		unsafe_put_user(from[bit], to + bit, efault);
		mask &= mask - 1;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
