// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memcpy() of a size only known at run time
 * Rule: UW06
 * Unseen: objects@i386 UW06: there it is an instruction
 */
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/uaccess.h>

int uw06_copy_of_run_time_size(u32 __user *from, u32 *to, const u32 *state, size_t size)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	memcpy(to, state, size);	/* want: UW06 */
	unsafe_get_user(*to, from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw06_copy_of_run_time_size_clean(u32 __user *from, u32 *to, const u32 *state, size_t size)
{
	memcpy(to, state, size);
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
