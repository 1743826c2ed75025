// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a buffer whose size the caller chooses
 * Rule: UW23
 * Known: B24: put_cmsg() of net/core/scm.c before 5f1eb1ff58ea
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw23_size_of_argument(void __user *to, const void *from, size_t size)
{
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_copy_to_user(to, from, size, efault);	/* want: UW23 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw23_size_of_argument_clean(void __user *to, const void *from, size_t size)
{
	check_object_size(from, size, true);
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_copy_to_user(to, from, size, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
