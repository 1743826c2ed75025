// SPDX-License-Identifier: GPL-2.0
/*
 * Title: loads into locals that nobody reads after a fault
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;
	u16 h;

	if (get_user(a, &u->a) || get_user(b, &u->b) || get_user(h, &u->h0))	/* want: UA101 rewrite safe 3 u read */
		return -EFAULT;

	k->total = a + b + h;
	return 0;
}
