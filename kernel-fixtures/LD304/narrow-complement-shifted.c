// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a complement that is shifted to the right
 * Row: a narrow local
 * Twin: narrow-complement
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report narrow-use - mode - */
	u32 sum = (~mode) >> 4;

	return put_user(sum, &u->a);
}
