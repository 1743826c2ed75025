// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the code returns where the copy does not fault
 * Row: exits
 * Twin: struct-write
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!copy_to_user(&u->pos, &k->pos, sizeof(k->pos)))	/* want: UA202 report fault-handled 1 &u->pos write */
		return 0;

	audit(k);
	return -EFAULT;
}
