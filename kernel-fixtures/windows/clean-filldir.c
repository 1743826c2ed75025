// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two records of which the second stands a variable length behind the first
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct clean_filldir {
	unsigned long number;
	unsigned long next;
	unsigned short length;
	char name[];
};

struct clean_filldir_list {
	struct clean_filldir __user *current_one;
	int previous_length;
};

int clean_filldir_clean(struct clean_filldir_list *list, int length, const char *name, unsigned long next)
{
	struct clean_filldir __user *record = list->current_one;
	int previous_length = list->previous_length;
	struct clean_filldir __user *previous = (void __user *)record - previous_length;

	if (!user_write_access_begin(previous, length + previous_length))
		return -EFAULT;
	unsafe_put_user(next, &previous->next, efault);
	unsafe_put_user(0UL, &record->number, efault);
	unsafe_put_user(length, &record->length, efault);
	unsafe_put_user(0, (char __user *)record + length - 1, efault);
	unsafe_put_user(name[0], &record->name[0], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
