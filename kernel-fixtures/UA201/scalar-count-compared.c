// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bytes left are compared with a number
 * Row: only zero or not
 * Twin: scalar-write
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_to_user(&u->a, &k->a, sizeof(k->a)) == sizeof(k->a))	/* want: UA201 report count-used 1 &u->a write */
		return -EFAULT;
	return 0;
}
