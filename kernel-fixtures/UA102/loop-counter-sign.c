// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an unsigned counter takes a negative count for a large one
 * Row: no rounds possible
 * Shape: F
 * Twin: loop-count-signed
 */
#include <fixture/arguments.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	const u32 *from = k->words;
	int n = k->count;
	unsigned int i;

	for (i = 0; i < n; i++)
		if (put_user(from[i], &p[i]))	/* want: UA102 report loop-form - p write */
			return -EFAULT;

	return 0;
}
