// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a case of a short switch
 * Row: label
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	switch (k->index) {
	default:
		if (put_user(k->a, &u->a) || put_user(k->b, &u->b) || put_user(k->c, &u->c))	/* want: UA101 rewrite safe 3 u write */
			return -EFAULT;
		break;
	case 2:
		k->total += 2;
		break;
	case 3:
		k->total += 3;
		break;
	case 4:
		k->total += 4;
		break;
	}
	return 0;
}
