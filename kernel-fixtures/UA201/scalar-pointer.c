// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer is copied
 * Row: pointer
 * Twin: scalar-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct uarg __user *next;

	if (copy_from_user(&next, &u->next, sizeof(next)))	/* want: UA201 report pointer-value 1 &u->next read */
		return -EFAULT;
	k->total = next != NULL;
	return 0;
}
