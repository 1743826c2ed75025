// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer in one element of a table was checked, and that at another index is used
 * Rule: UW22
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw22_element_by_variable(u32 __user *const *table, int checked, int used, u32 value)
{
	if (!user_write_access_begin(table[checked], sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(value, table[used], efault);	/* want: UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_element_by_variable_next(u32 __user *const *table, int n, u32 value)
{
	int i;

	for (i = 0; i < n; i++) {
		if (!user_write_access_begin(table[i], sizeof(u32)))
			return -EFAULT;
		unsafe_put_user(value, table[i + 1], efault);	/* want: UW22 */
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_element_by_variable_clean(u32 __user *const *table, int n, u32 value)
{
	int used, i;

	for (i = 0; i < n; i++) {
		used = i;
		if (!user_write_access_begin(table[i], sizeof(u32)))
			return -EFAULT;
		unsafe_put_user(value, table[used], efault);
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_element_by_variable_moved_clean(u32 __user *const *table, int i, u32 value)
{
	if (!user_write_access_begin(table[i], sizeof(u32)))
		return -EFAULT;
	i++;
	unsafe_put_user(value, table[i - 1], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
