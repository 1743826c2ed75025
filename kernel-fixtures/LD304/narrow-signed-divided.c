// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what may be negative, divided by it
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report narrow-use - mode - */

	k->s1 = -5 / (mode | 1);

	return put_user(k->s1, &u->s1);
}
