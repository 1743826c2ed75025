// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two blocks have a counter of that name, and only one is used after its loop
 * Row: loop
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	const u32 *from = k->words;
	u32 __user *p = u->words;

	if (k->flag) {
		int i;

		for (i = 0; i < 4; i++)
			if (put_user(from[i], &p[i]))	/* want: UA102 rewrite manual - p write */
				return -EFAULT;
	} else {
		int i;

		for (i = 0; i < 4; i++)
			if (put_user(from[i], &p[i]))	/* want: UA102 report loop-form - p write */
				return -EFAULT;
		k->total = i;
	}

	return 0;
}
