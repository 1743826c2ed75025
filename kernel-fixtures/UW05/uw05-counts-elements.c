// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number of elements is checked as a number of bytes
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_counts_elements {
	u32 key;
	u32 value;
};

struct uw05_counts_elements_list {
	struct uw05_counts_elements_list *next;
	u32 number;
	u32 values[8];
};

int uw05_counts_elements(struct uw05_counts_elements __user *to, u32 number, u32 first,
			 struct uw05_counts_elements_list *list)
{
	struct uw05_counts_elements key;
	u32 i;

	if (copy_from_user(&key, to + number - first, sizeof(key)))
		return -EFAULT;
	if (!user_write_access_begin(to, number))
		return -EFAULT;
	for (; list; list = list->next)
		for (i = 0; i < list->number; i++, to++)
			unsafe_put_user(list->values[i], &to->value, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_counts_elements_clean(struct uw05_counts_elements __user *to, u32 number, u32 first,
			       struct uw05_counts_elements_list *list)
{
	struct uw05_counts_elements key;
	u32 i;

	if (copy_from_user(&key, to + number - first, sizeof(key)))
		return -EFAULT;
	if (!user_write_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	for (; list; list = list->next)
		for (i = 0; i < list->number; i++, to++)
			unsafe_put_user(list->values[i], &to->value, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* These are bytes when they are checked. */
int uw05_counts_elements_bytes(u32 __user *to, u32 number, u32 value)
{
	u32 last;

	if (number < 1 || number > 16 || get_user(last, to + number))
		return -EFAULT;
	number *= sizeof(*to);
	if (!user_write_access_begin(to, number))
		return -EFAULT;
	unsafe_put_user(value ^ last, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
