// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two runs that a call keeps apart become two windows
 * Row: side effects or calls between accesses
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))	/* want: UA101 rewrite manual 2 u write */
		return -EFAULT;
	audit(k);
	if (put_user(k->c, &u->c) || put_user(k->d, &u->d))	/* want: UA101 rewrite manual 2 u write */
		return -EFAULT;

	return 0;
}
