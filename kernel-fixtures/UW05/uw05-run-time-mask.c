// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an address is rounded to a size that is computed after its range was checked
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw05_run_time_mask(unsigned long at, unsigned long size, const u8 *bytes)
{
	unsigned long i;

	if (!user_write_access_begin((void __user *)at, size))
		return -EFAULT;
	at &= ~(size - 1);
	for (i = 0; i < size; i++)
		unsafe_put_user(bytes[i], (u8 __user *)(at + i), efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_run_time_mask_clean(unsigned long at, unsigned long size, const u8 *bytes)
{
	unsigned long i;

	at &= ~(size - 1);
	if (!user_write_access_begin((void __user *)at, size))
		return -EFAULT;
	for (i = 0; i < size; i++)
		unsafe_put_user(bytes[i], (u8 __user *)(at + i), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_run_time_mask_tested_clean(unsigned long at, unsigned long size, const u8 *bytes)
{
	unsigned long i;

	if (at & (size - 1))
		return -EINVAL;
	if (!user_write_access_begin((void __user *)at, size))
		return -EFAULT;
	at &= -size;
	for (i = 0; i < size; i++)
		unsafe_put_user(bytes[i], (u8 __user *)(at + i), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_run_time_mask_offset_clean(u8 __user *to, unsigned long at, unsigned long size, u8 byte)
{
	if (at >= PAGE_SIZE || !user_write_access_begin(to, PAGE_SIZE))
		return -EFAULT;
	unsafe_put_user(byte, to + (at & ~(size - 1)), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
