// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the counter is returned, which has no value where the window is not opened
 * Row: destination read on the fault path
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
	int i, n = k->count;

	for (i = 0; i < n; i++)
		if (put_user(from[i], &p[i]))	/* want: UA102 report loop-form - p write */
			break;

	return i;
}
