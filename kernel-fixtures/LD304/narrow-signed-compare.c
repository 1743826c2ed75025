// SPDX-License-Identifier: GPL-2.0
/*
 * Title: compared with what may be negative
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report narrow-use - mode - */
	u32 sum = 0;

	if (k->s0 < mode)
		sum = 1;

	return put_user(sum, &u->a);
}
