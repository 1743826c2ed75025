// SPDX-License-Identifier: GPL-2.0
/*
 * Title: elements of an array of what a pointer in a structure leads to
 * Row: base pointer itself in memory
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	(void)u;
	if (put_user(k->a, &k->user->words[0]) ||	/* want: UA101 rewrite prepared 3 k->user write */
	    put_user(k->b, &k->user->words[1]) ||
	    put_user(k->c, &k->user->words[7]))
		return -EFAULT;

	return 0;
}
