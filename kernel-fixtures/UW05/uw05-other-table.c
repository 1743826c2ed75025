// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two tables have one index, and the element of the other one was checked
 * Rule: UW05, UW22
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_other_table {
	u32 __user *first;
	u32 __user *second;
};

int uw05_other_table(struct uw05_other_table *tables, u32 index, u32 value)
{
	if (!user_write_access_begin(&tables->first[index], sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(value, &tables->second[index], efault);	/* want: UW05, UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_other_table_clean(struct uw05_other_table *tables, u32 index, u32 value)
{
	u32 __user *second = tables->second;

	if (!user_write_access_begin(&tables->second[index], sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(value, &second[index], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
