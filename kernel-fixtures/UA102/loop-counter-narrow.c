// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the counter may wrap before it reaches the count, with the window open
 * Row: loop without a bound
 * Shape: F
 * Twin: loop-count
 */
#include <fixture/arguments.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	const u32 *from = k->words;
	unsigned int n = k->count;
	u8 i;

	for (i = 0; i < n; i++)
		if (put_user(from[i], &p[i]))	/* want: UA102 report loop-form - p write */
			return -EFAULT;

	return 0;
}
