// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one element more than counted
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_counted_loop {
	u32 start;
	u32 length;
};

int uw05_counted_loop(struct uw05_counted_loop __user *list, unsigned int count, u32 *total)
{
	unsigned int i;
	u32 length;

	if (!user_read_access_begin(list, count * sizeof(*list)))
		return -EFAULT;
	for (i = 0; i <= count; i++) {
		unsafe_get_user(length, &list[i].length, efault);	/* want: UW05 */
		*total += length;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_counted_loop_clean(struct uw05_counted_loop __user *list, unsigned int count, u32 *total)
{
	unsigned int i;
	u32 length;

	if (!user_read_access_begin(list, count * sizeof(*list)))
		return -EFAULT;
	for (i = 0; i < count; i++) {
		unsafe_get_user(length, &list[i].length, efault);
		*total += length;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
