// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the loop walks a list: every node needs its own check
 * Row: the pointer itself is loaded or changed by data
 * Shape: F
 * Twin: loop-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (put_user(k->words[i], &u->a))	/* want: UA102 report base-changes - u write */
			return -EFAULT;
		u = k->user;
	}

	return 0;
}
