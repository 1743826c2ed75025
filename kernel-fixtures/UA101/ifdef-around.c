// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a configuration leaves the run out, and its label with it
 * Row: access in a macro, or several #ifdef branches
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	switch (k->index) {
#ifdef CONFIG_64BIT
	case 1:
		if (put_user(k->a, &u->a) ||	/* want classic: UA101 rewrite manual 3 u write */ /* want scoped: UA101 rewrite safe 3 u write */
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
