// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the run is inside a walk: every node gets its own window
 * Row: the pointer itself is loaded or changed by data
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct uarg __user *next;
	u32 a, b;

	while (u) {
		if (get_user(a, &u->a) ||	/* want: UA101 rewrite safe 3 u read */
		    get_user(b, &u->b) ||
		    get_user(next, &u->next))
			return -EFAULT;
		k->total += a ^ b;
		u = next;
	}

	return 0;
}
