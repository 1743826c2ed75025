// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first access comes before the begin
 * Rule: UW21
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw21_before_begin(const u32 __user *list, u32 *sum, unsigned int limit)
{
	unsigned int i;
	u32 count, value;

	unsafe_get_user(count, list, invalid);	/* want: UW21 */
	if (count > limit)
		return -EINVAL;
	if (!user_read_access_begin(list, (count + 1) * sizeof(*list)))
		return -EFAULT;
	for (i = 1; i <= count; i++) {
		unsafe_get_user(value, list + i, efault);
		*sum += value;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
invalid:
	return -EFAULT;
}

int uw21_before_begin_clean(const u32 __user *list, u32 *sum, unsigned int limit)
{
	unsigned int i;
	u32 count, value;

	if (!user_read_access_begin(list, (limit + 1) * sizeof(*list)))
		return -EFAULT;
	unsafe_get_user(count, list, efault);
	if (count > limit)
		count = limit;
	for (i = 1; i <= count; i++) {
		unsafe_get_user(value, list + i, efault);
		*sum += value;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
