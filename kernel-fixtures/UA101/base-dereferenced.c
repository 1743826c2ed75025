// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the elements of an array through a pointer to it, as in signal frames of sparc
 * Row: base computed
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &(*u).a))	/* want: UA101 rewrite safe 3 u write */
		return -EFAULT;
	if (put_user(k->b, &(*u).words[1]))
		return -EFAULT;
	if (put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
