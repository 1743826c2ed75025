// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault only means that the defaults are used
 * Row: failure as success with a default
 * Shape: A
 * Twin: chain-get-locals
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	if (get_user(a, &u->a) || get_user(b, &u->b)) {	/* want: UA101 report fault-handled 2 u read */
		a = 1;
		b = 2;
	}

	k->total = a + b;
	return 0;
}
