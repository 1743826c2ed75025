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
	u32 __user *p = u->words;
	int i, err = 0;

	for (i = 0; i < 8; i++)
		err |= __put_user(k->words[i], &p[i]);	/* want: UA102 report fault-handled 1 - write */

	return err ? -EFAULT : 0;
}
