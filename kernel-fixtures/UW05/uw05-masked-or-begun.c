// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a masked begin, and a fallback begin with too small a range
 * Rule: UW05
 * Arch: x86
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_masked_or_begun {
	unsigned long sigmask;
	unsigned long size;
};

int uw05_masked_or_begun(struct uw05_masked_or_begun __user *from, unsigned long *size)
{
	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	else if (!user_read_access_begin(from, sizeof(from->sigmask)))
		return -EFAULT;
	unsafe_get_user(*size, &from->size, efault);	/* want: UW05 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_masked_or_begun_clean(struct uw05_masked_or_begun __user *from, unsigned long *size)
{
	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	else if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*size, &from->size, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
