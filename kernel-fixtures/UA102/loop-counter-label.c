// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what follows the label counts back
 * Row: destination read on the fault path
 * Shape: F
 * Twin: loop-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	const u32 *from = k->words;
	int i;

	for (i = 0; i < 4; i++)
		if (put_user(from[i], &p[i]))	/* want: UA102 report loop-form - p write */
			goto undo;

	return 0;
undo:
	while (--i >= 0)
		k->total++;
	return -EFAULT;
}
