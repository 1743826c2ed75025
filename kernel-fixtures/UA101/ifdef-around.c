// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a configuration leaves the run out, and would leave its label unused
 * Row: access in a macro, or several #ifdef branches
 * Shape: A
 * Twin: ifdef-outside
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	switch (k->index) {
#ifdef CONFIG_FIXTURE_SERIAL
	case 1:
		if (put_user(k->a, &u->a) ||	/* want: UA101 report ifdef 3 u write */
		    put_user(k->b, &u->b) ||
		    put_user(k->c, &u->c))
			return -EFAULT;
		break;
#endif
	default:
		return -EINVAL;
	}

	return 0;
}
