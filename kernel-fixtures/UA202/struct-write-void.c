// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer has no type: a variable of the type is declared
 * Row: the pointer gets the type
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *argp = &u->pos;

	if (copy_to_user(argp, &k->pos, sizeof(k->pos)))	/* want: UA202 rewrite prepared 1 argp write */
		return -EFAULT;
	return 0;
}
