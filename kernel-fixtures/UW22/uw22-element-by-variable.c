// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one element of an array, or the pointer in it, was checked, and that at another index is used
 * Rule: UW05, UW22
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

struct uw22_element_by_variable {
	u32 flags;
	u32 value;
};

int uw22_element_by_variable_array(struct uw22_element_by_variable __user *to, int checked, int used)
{
	if (!user_write_access_begin(to + checked, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(1U, &to[checked].flags, efault);
	unsafe_put_user(1U, &to[used].flags, efault);	/* want: UW22 */
	unsafe_put_user(1U, &(to + checked + 1)->value, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_element_by_variable_array_clean(struct uw22_element_by_variable __user *to, int checked)
{
	if (!user_write_access_begin(&to[checked], sizeof(to[checked])))
		return -EFAULT;
	unsafe_put_user(1U, &to[checked].flags, efault);
	unsafe_put_user(1U, &(to + checked)->value, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_element_by_variable_member(struct uw22_element_by_variable __user *to, int checked, int used)
{
	if (!user_write_access_begin(&to[checked].value, sizeof(to->value)))
		return -EFAULT;
	unsafe_put_user(1U, &to[used].value, efault);	/* want: UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_element_by_variable_member_clean(struct uw22_element_by_variable __user *to, int checked)
{
	if (!user_write_access_begin(&to[checked].value, sizeof(to[checked].value)))
		return -EFAULT;
	unsafe_put_user(1U, &to[checked].value, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
