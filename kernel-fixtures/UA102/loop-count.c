// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the trip count is only known at run time, and may be zero
 * Unproven: the range of a window grows with the number of turns
 * Row: no rounds possible
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	const u32 *from = k->words;
	unsigned int i, n = k->count;

	for (i = 0; i < n; i++)
		if (put_user(from[i], &p[i]))	/* want: UA102 rewrite manual - p write */
			return -EFAULT;

	return 0;
}
