// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a do statement that is no loop is left on a fault
 * Row: an errno that falls through
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = -EFAULT;

	do {
		if (put_user(k->a, &u->a))	/* want: UA101 rewrite safe 2 u write */
			break;
		if (put_user(k->b, &u->b))
			break;
		err = 0;
	} while (0);

	return err;
}
