// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a difference that may be negative, and is compared
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report narrow-use - mode - */
	u32 sum = 0;

	if (mode - 7 < 0)
		sum = 1;

	return put_user(sum, &u->a);
}
