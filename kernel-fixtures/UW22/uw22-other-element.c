// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one element of a table was checked, and another is used
 * Rule: UW22
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw22_other_element {
	u32 __user *place;
	u32 value;
};

int uw22_other_element(struct uw22_other_element *table)
{
	if (!user_write_access_begin(table[0].place, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(table[0].value, table[0].place, efault);
	unsafe_put_user(table[1].value, table[1].place, efault);	/* want: UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_other_element_clean(struct uw22_other_element *table)
{
	if (!access_ok(table[1].place, sizeof(u32)))
		return -EFAULT;
	if (!user_write_access_begin(table[0].place, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(table[0].value, table[0].place, efault);
	unsafe_put_user(table[1].value, table[1].place, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
