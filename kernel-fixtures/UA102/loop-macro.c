// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a name in capitals stands for a number
 * Row: loop
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define HALF 4
#define COUNT (2 * HALF)

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	const u32 *from = k->words;
	int i;

	for (i = 0; i < COUNT; i++)
		if (put_user(from[i], &p[i]))	/* want: UA102 rewrite prepared - p write */
			return -EFAULT;

	return 0;
}
