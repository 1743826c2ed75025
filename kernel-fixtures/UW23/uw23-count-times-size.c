// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an element count times the element size
 * Rule: UW23
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw23_count_times_size {
	u32 head;
	u32 tail;
};

int uw23_count_times_size(struct uw23_count_times_size __user *to, const struct uw23_count_times_size *from, unsigned int count)
{
	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	unsafe_copy_to_user(to, from, count * sizeof(*from), efault);	/* want: UW23 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw23_count_times_size_clean(struct uw23_count_times_size __user *to, const struct uw23_count_times_size *from)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	unsafe_copy_to_user(to, from, 2 * sizeof(*from), efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
