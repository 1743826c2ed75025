// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the index advances inside the pointer
 * Row: constant stride
 * Shape: I
 * Twin: pointer-increments
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i = k->index;

	if (put_user(k->a, &u->words[i++]) ||	/* want: UA101 report side-effect-argument 2 u write */
	    put_user(k->b, &u->words[i++]))
		return -EFAULT;

	k->index = i;
	return 0;
}
