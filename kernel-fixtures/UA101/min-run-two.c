// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two accesses: a classic window costs more than it saves
 * Row: length of the run
 * Shape: A
 * Options: default-min-run
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))	/* want classic: UA101 report below-min-run 2 u write */ /* want scoped: UA101 rewrite safe 2 u write */
		return -EFAULT;

	return 0;
}
