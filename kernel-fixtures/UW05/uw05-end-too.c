// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop over pages goes to the end of the last one, too
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define UW05_END_TOO_ALIGNED(at) ((char __user *)(((unsigned long)(at) + 4095) & ~4095UL))

int uw05_end_too(char __user *from, size_t size)
{
	char __user *at = UW05_END_TOO_ALIGNED(from), *end = UW05_END_TOO_ALIGNED((unsigned long)from + size);

	if (!user_write_access_begin(from, size))
		return -EFAULT;
	while (at <= end) {
		unsafe_put_user(0, at, efault);	/* want: UW05 */
		at += 4096;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_end_too_clean(char __user *from, size_t size)
{
	char __user *at = UW05_END_TOO_ALIGNED(from), *end = UW05_END_TOO_ALIGNED((unsigned long)from + size);

	if (!user_write_access_begin(from, size))
		return -EFAULT;
	while (at < end) {
		unsafe_put_user(0, at, efault);
		at += 4096;
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The last pointer is that of the last element. */
int uw05_end_too_last(u32 __user *to, const u32 *from, size_t number)
{
	u32 __user *at = to, *last = to + number - 1;

	if (!number || !user_write_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	while (at <= last)
		unsafe_put_user(*from++, at++, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The same with numbers, which stop at 0, too. */
int uw05_end_too_number(char __user *from, size_t size)
{
	unsigned long at = (unsigned long)from, end = at + size;

	if (!size || !user_write_access_begin(from, size))
		return -EFAULT;
	for (; at && at <= end; at = (at + 4096) & ~4095UL)
		unsafe_put_user(0, (char __user *)at, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_end_too_number_clean(char __user *from, size_t size)
{
	unsigned long at = (unsigned long)from, end = at + size;

	if (!size || !user_write_access_begin(from, size))
		return -EFAULT;
	for (; at && at < end; at = (at + 4096) & ~4095UL)
		unsafe_put_user(0, (char __user *)at, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
