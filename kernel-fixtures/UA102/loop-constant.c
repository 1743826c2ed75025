// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one store per iteration, a constant trip count
 * Row: loop with a bounded trip count
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	int i;

	for (i = 0; i < 4; i++)
		if (put_user(k->words[i], &p[i]))	/* want: UA102 rewrite prepared - p write */
			return -EFAULT;

	return 0;
}
