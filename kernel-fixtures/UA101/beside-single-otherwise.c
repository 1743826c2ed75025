// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the other access to the object is in another branch
 * Row: other code between the accesses
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	switch (k->flag) {
	case 0:
		if (put_user(k->a, &u->a))	/* want: UA101 rewrite safe 2 u write */
			return -EFAULT;
		if (put_user(k->b, &u->b))
			return -EFAULT;
		break;
	case 1:
		if (put_user(k->c, &u->c))
			return -EFAULT;
		break;
	}

	return 0;
}
