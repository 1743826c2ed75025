// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a negative count makes no iteration, whatever types the other parameters have
 * Unproven: the range of a window grows with the number of turns
 * Row: no rounds possible
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

static int other(const u32 *from, u32 __user *p, int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (put_user(from[i], &p[i]))	/* want: UA102 rewrite manual - p write */
			return -EFAULT;

	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return other(k->words, u->words, (int)k->count - 2);
}
