// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two commands of one function, each with its run
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	switch (k->index) {
	case 0:
		if (put_user(k->a, &u->a) || put_user(k->b, &u->b))	/* want: UA101 rewrite safe 2 u write */
			return -EFAULT;
		break;
	case 1:
		audit(k);
		break;
	default:
		return -EINVAL;
	}

	return 0;
}
