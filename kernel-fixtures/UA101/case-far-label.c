// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a case of a long switch, whose label would be out of sight
 * Row: label
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	switch (k->index) {
	default:
		if (put_user(k->a, &u->a) || put_user(k->b, &u->b) || put_user(k->c, &u->c))	/* want classic: UA101 rewrite manual 3 u write */ /* want scoped: UA101 rewrite safe 3 u write */
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
	case 5:
		k->total += 5;
		break;
	case 6:
		k->total += 6;
		break;
	case 7:
		k->total += 7;
		break;
	case 8:
		k->total += 8;
		break;
	case 9:
		k->total += 9;
		break;
	case 10:
		k->total += 10;
		break;
	case 11:
		k->total += 11;
		break;
	case 12:
		k->total += 12;
		break;
	case 13:
		k->total += 13;
		break;
	case 14:
		k->total += 14;
		break;
	case 15:
		k->total += 15;
		break;
	}
	return 0;
}
