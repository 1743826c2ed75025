// SPDX-License-Identifier: GPL-2.0
/*
 * Title: each iteration writes the same word
 * Row: no element per iteration
 * Shape: F
 * Twin: loop-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int i;

	for (i = 0; i < 3; i++) {
		if (put_user(k->words[i], &u->a))	/* want: UA102 report loop-form 1 u write */
			return -EFAULT;
	}

	return 0;
}
