// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one byte is aligned anywhere
 * Row: alignment by type
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *argp = &u->b1;

	if (copy_to_user(argp, &k->b0, sizeof(k->b0)))	/* want: UA201 rewrite safe 1 argp write */
		return -EFAULT;
	return 0;
}
