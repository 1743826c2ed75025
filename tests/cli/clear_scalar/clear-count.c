// SPDX-License-Identifier: GPL-2.0
/*
 * Title: how many bytes were not cleared is returned
 * Row: the use of the result
 * Twin: clear-scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	audit(k);
	return clear_user(&u->a, sizeof(u->a));	/* want: UA205 report count-used 1 &u->a write */
}
