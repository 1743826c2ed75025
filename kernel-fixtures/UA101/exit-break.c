// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault leaves the loop, not the function
 * Row: failure as success with a default
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int i;

	for (i = 0; i < 3; i++) {
		if (put_user(k->a, &u->a) || put_user(k->b, &u->b))	/* want: UA101 rewrite manual 2 u write */
			break;
		k->total++;
	}

	return i;
}
