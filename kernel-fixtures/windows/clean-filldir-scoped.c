// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scope on the first of two records, and stores to the second
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct clean_filldir_scoped {
	unsigned long number;
	unsigned long next;
};

struct clean_filldir_scoped_list {
	struct clean_filldir_scoped __user *current_one;
	int previous_length;
};

int clean_filldir_scoped_clean(struct clean_filldir_scoped_list *list, int length, unsigned long number)
{
	struct clean_filldir_scoped __user *record = list->current_one;
	struct clean_filldir_scoped __user *previous = (void __user *)record - list->previous_length;

	scoped_user_write_access_size(previous, length + list->previous_length, efault) {
		unsafe_put_user(number, &previous->next, efault);
		unsafe_put_user(number, &record->number, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
