// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a routine copies against the direction of the window
 * Rule: UW04
 * Arch: x86
 */
#include <linux/errno.h>
#include <linux/uaccess.h>
#include <net/checksum.h>

int uw04_routine(const void __user *from, void *to, int size, __wsum *sum)
{
	if (!user_write_access_begin(from, size))
		return -EFAULT;
	*sum = csum_partial_copy_generic((__force const void *)from, to, size);	/* want[clang-tidy]: UW04 */
	user_write_access_end();
	return 0;
}

int uw04_routine_to_user(const void *from, void __user *to, int size, __wsum *sum)
{
	if (!user_read_access_begin(to, size))
		return -EFAULT;
	*sum = csum_partial_copy_generic(from, (__force void *)to, size);	/* want[clang-tidy]: UW04 */
	user_read_access_end();
	return 0;
}

int uw04_routine_clean(const void __user *from, void __user *to, void *through, int size, __wsum *sum)
{
	if (!user_read_access_begin(from, size))
		return -EFAULT;
	*sum = csum_partial_copy_generic((__force const void *)from, through, size);
	user_read_access_end();
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	*sum = csum_partial_copy_generic(through, (__force void *)to, size);
	user_write_access_end();
	return 0;
}
