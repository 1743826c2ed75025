// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bytes left are handed on
 * Row: only zero or not
 * Twin: struct-write
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *to = &u->pos;
	int left;

	left = copy_to_user(to, &k->pos, sizeof(*to));	/* want: UA202 report - 1 to write */
	return left;
}
