// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scoped guard around the run: the label would be outside it
 * Row: inside a guard() or __free() scope
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	scoped_guard(mutex, &k->lock) {
		if (put_user(k->a, &u->a) ||	/* want classic: UA101 report cleanup-scope 2 u write */ /* want scoped: UA101 rewrite safe 2 u write */
		    put_user(k->b, &u->b))
			return -EFAULT;
		k->total++;
	}

	return 0;
}
