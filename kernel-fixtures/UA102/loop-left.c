// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the loop body has a break, and no call
 * Row: loop with a bounded trip count
 * Shape: F
 * Twin: loop-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	int i;

	for (i = 0; i < 4; i++) {
		if (k->words[i] == 0)
			break;
		if (put_user(k->words[i], &p[i]))	/* want: UA102 report statement-between - p write */
			return -EFAULT;
	}

	return 0;
}
