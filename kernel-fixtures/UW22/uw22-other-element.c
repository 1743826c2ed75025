// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one element of a table, or one of two structures, was checked, and the pointer of the other is used
 * Rule: UW22, UW05
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
	unsafe_put_user(table[1].value, table[1].place, efault);	/* want: UW22, UW05 */
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

int uw22_other_element_of_two(struct uw22_other_element *old, struct uw22_other_element *new)
{
	if (!user_write_access_begin(old->place, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(new->value, new->place, efault);	/* want: UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_other_element_of_two_clean(struct uw22_other_element *old, struct uw22_other_element *new)
{
	if (new->place != old->place)
		return -EINVAL;
	if (!user_write_access_begin(old->place, sizeof(u32)))
		return -EFAULT;
	unsafe_put_user(new->value, new->place, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
