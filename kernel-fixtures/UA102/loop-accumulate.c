// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop that collects the errors
 * Row: loop with a bounded trip count
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int i, err = 0;

	for (i = 0; i < 8; i++)
		err |= __put_user(k->words[i], &u->words[i]);	/* want: UA102 rewrite prepared - u write */

	return err ? -EFAULT : 0;
}
