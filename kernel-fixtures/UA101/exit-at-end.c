// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault returns what the function returns at its end
 * Row: failure as success with a default
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	if (get_user(a, &u->a))	/* want: UA101 rewrite safe 2 u read */
		return k->total;
	if (get_user(b, &u->b))
		return k->total;

	if (a == b)
		k->total++;
	return k->total;
}
