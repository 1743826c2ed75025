// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the loop is all that the else branch holds
 * Sampled: the range of a window grows with the number of turns
 * Row: no rounds possible
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	unsigned int i, n = k->count;

	if (k->count == 3) {
		k->total = 0;
	} else {
		for (i = 0; i < n; i++) {
			if (put_user(k->a, p + i))	/* want: UA102 rewrite manual - p write */
				return -EFAULT;
		}
	}

	return 0;
}
