// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the index of the element that was checked, or the structure with the pointer, is set after the begin
 * Rule: UW22, UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw22_index_set {
	u32 __user *place;
	u32 value;
	struct uw22_index_set *next;
};

int uw22_index_set(struct uw22_index_set *table, unsigned int count)
{
	unsigned int i = 0;

	if (!user_write_access_begin(table[i].place, sizeof(u32)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(table[i].value, table[i].place, efault);	/* want: UW22, UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_index_set_clean(struct uw22_index_set *table, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!user_write_access_begin(table[i].place, sizeof(u32)))
			return -EFAULT;
		unsafe_put_user(table[i].value, table[i].place, efault);
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_index_set_structure(struct uw22_index_set *one)
{
	if (!user_write_access_begin(one->place, sizeof(u32)))
		return -EFAULT;
	for (; one; one = one->next)
		unsafe_put_user(one->value, one->place, efault);	/* want: UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw22_index_set_structure_clean(struct uw22_index_set *one, u32 value)
{
	struct uw22_index_set *first = one;

	if (!user_write_access_begin(one->place, sizeof(u32)))
		return -EFAULT;
	for (; one; one = one->next)
		value += one->value;
	one = first;
	unsafe_put_user(value, one->place, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
