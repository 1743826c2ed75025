// SPDX-License-Identifier: GPL-2.0
/*
 * Title: of two windows with one exit, one is in an #ifdef, as in do_vcc_ioctl()
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
		if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
		    put_user(k->b, &u->b) ||
		    put_user(k->c, &u->c))
			return -EFAULT;
		break;
#endif
	default:
		if (put_user(k->b, &u->b) ||	/* want: UA101 rewrite safe 3 u write */
		    put_user(k->c, &u->c) ||
		    put_user(k->a, &u->a))
			return -EFAULT;
	}

	return 0;
}
