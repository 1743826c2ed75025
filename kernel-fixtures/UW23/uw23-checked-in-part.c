// SPDX-License-Identifier: GPL-2.0
/*
 * Title: only a part of what is copied is checked
 * Rule: UW23
 */
#include <linux/errno.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

int uw23_checked_in_part(void __user *to, const void *from, size_t head, size_t tail)
{
	size_t size = size_add(head, tail);

	check_object_size(from, head, true);
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_copy_to_user(to, from, size, efault);	/* want: UW23 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw23_checked_in_part_clean(void __user *to, const void *from, size_t head, size_t tail)
{
	size_t size = size_add(head, tail);

	check_object_size(from, size, true);
	if (!user_write_access_begin(to, head + tail))
		return -EFAULT;
	unsafe_copy_to_user(to, from, head + tail, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* All of the object is checked, and some of it copied. */
int uw23_checked_in_part_of_whole_clean(void __user *to, const void *from, size_t size, size_t most)
{
	size_t some = size < most ? size : most;

	check_object_size(from, size, true);
	if (!user_write_access_begin(to, some))
		return -EFAULT;
	unsafe_copy_to_user(to, from, some, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
