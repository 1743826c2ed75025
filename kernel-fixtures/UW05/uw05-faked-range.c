// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the range of the previous record, and a store to the current one
 * Rule: UW05, UW22
 * Known: B06: fs/readdir.c before 3c2659bd1db8
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_faked_range {
	unsigned long number;
	unsigned long next;
};

struct uw05_faked_range_list {
	struct uw05_faked_range __user *previous;
	struct uw05_faked_range __user *current_one;
};

int uw05_faked_range(struct uw05_faked_range_list *list, unsigned long number, unsigned long next)
{
	struct uw05_faked_range __user *record = list->previous;

	if (!user_write_access_begin(record, sizeof(*record)))
		return -EFAULT;
	if (record)
		unsafe_put_user(next, &record->next, efault);
	record = list->current_one;
	unsafe_put_user(number, &record->number, efault);	/* want: UW05, UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_faked_range_clean(struct uw05_faked_range_list *list, int length, unsigned long number, unsigned long next)
{
	struct uw05_faked_range __user *record = list->current_one;
	struct uw05_faked_range __user *previous = (void __user *)record - length;

	if (!user_write_access_begin(previous, length + sizeof(*record)))
		return -EFAULT;
	unsafe_put_user(next, &previous->next, efault);
	unsafe_put_user(number, &record->number, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
