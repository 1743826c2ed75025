// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a guard begins after the run: no goto may jump over it
 * Row: inside a guard() or __free() scope
 * Shape: A
 * Twin: guard-same-scope
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	if (get_user(a, &u->a) || get_user(b, &u->b))	/* want: UA101 report cleanup-scope 2 u read */
		return -EFAULT;

	guard(mutex)(&k->lock);
	k->a = a;
	k->b = b;
	return 0;
}
