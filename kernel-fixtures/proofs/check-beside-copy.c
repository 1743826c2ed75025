// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a window checks a pointer that a copy before it does not check
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (__copy_to_user(&u->pos, &k->pos, sizeof(k->pos)) ||
	    __put_user(k->a, &u->a) ||
	    __put_user(k->b, &u->b))
		return 0;
	return 1;
}
