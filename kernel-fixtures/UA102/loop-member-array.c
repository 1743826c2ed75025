// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the array is a member: its bound is not looked up
 * Row: loop with a bounded trip count
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int i;

	for (i = 0; i < 8; i++)
		if (put_user(k->words[i], &u->words[i]))	/* want: UA102 report variable-index 1 u write */
			return -EFAULT;

	return 0;
}
