// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the loop is counted, but is no for loop
 * Row: loop with a bounded trip count
 * Shape: F
 * Twin: loop-count
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	int nr = 4;

	while (nr-- > 0) {
		if (put_user(k->a, p + nr))	/* want: UA102 report loop-form - p write */
			return -EFAULT;
	}

	return 0;
}
