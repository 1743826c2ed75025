// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a name in capitals stands for a member
 * Row: loop without a bound
 * Shape: F
 * Twin: loop-macro
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define COUNT (k->count)

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	const u32 *from = k->words;
	int i;

	for (i = 0; i < COUNT; i++)
		if (put_user(from[i], &p[i]))	/* want: UA102 report loop-form - p write */
			return -EFAULT;

	return 0;
}
