// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what get_user() leaves on a fault is the default
 * Row: failure as success with a default
 * Shape: E
 * Twin: return-each
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int missing;
	u32 a, b;

	missing = get_user(a, &u->a);	/* want: UA101 report fault-handled 2 u read */
	missing += get_user(b, &u->b);
	if (missing)
		k->index++;

	k->total = a + b;
	return 0;
}
