// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a routine that copies in the window is given more bytes than were checked
 * Rule: UW05
 * Arch: x86
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/uaccess.h>
#include <net/checksum.h>

int uw05_routine(const void __user *from, void *to, int size, __wsum *sum)
{
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	size = ALIGN(size, 8);
	*sum = csum_partial_copy_generic((__force const void *)from, to, size);	/* want: UW05 */
	user_read_access_end();
	return 0;
}

int uw05_routine_after(const void *from, char __user *to, int size, __wsum *sum)
{
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	*sum = csum_partial_copy_generic(from, (__force void *)(to + 4), size);	/* want: UW05 */
	user_write_access_end();
	return 0;
}

int uw05_routine_clean(const void __user *from, void *to, int size, __wsum *sum)
{
	size = ALIGN(size, 8);
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	*sum = csum_partial_copy_generic((__force const void *)from, to, size);
	user_read_access_end();
	return 0;
}

int uw05_routine_less_clean(const void __user *from, void *to, int size, __wsum *sum)
{
	if (size < 8 || !user_read_access_begin(from, size))
		return -EFAULT;
	*sum = csum_partial_copy_generic((__force const void *)from + 4, to, size - 4);
	user_read_access_end();
	return 0;
}
