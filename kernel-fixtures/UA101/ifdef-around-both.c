// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one configuration has a window of either direction, as in mtrr_ioctl()
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
		if (get_user(k->a, &u->a) ||	/* want classic: UA101 rewrite manual 2 u read */ /* want scoped: UA101 rewrite prepared 2 u read */
		    get_user(k->b, &u->b))
			return -EFAULT;
		break;
	case 2:
		if (put_user(k->a, &u->a) ||	/* want classic: UA101 rewrite manual 2 u write */ /* want scoped: UA101 rewrite safe 2 u write */
		    put_user(k->b, &u->b))
			return -EFAULT;
		break;
#endif
	default:
		return -EINVAL;
	}

	return 0;
}
