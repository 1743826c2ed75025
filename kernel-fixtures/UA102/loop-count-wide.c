// SPDX-License-Identifier: GPL-2.0
/*
 * Title: size_t of 32 bits would lose the upper half of the count
 * Row: overflow of the size
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
	u64 i, n = k->count;

	for (i = 0; i < n; i++)
		if (put_user(from[i], &p[i]))	/* want: UA102 report loop-form - p write */
			return -EFAULT;

	return 0;
}
