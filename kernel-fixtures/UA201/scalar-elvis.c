// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bytes left are a value
 * Row: only zero or not
 * Twin: scalar-count-returned
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return copy_to_user(&u->a, &k->a, sizeof(k->a)) ?: k->flag;	/* want: UA201 report count-used 1 &u->a write */
}
