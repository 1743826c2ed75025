// SPDX-License-Identifier: GPL-2.0
/*
 * Title: ored with what may be wider
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report may-not-fit - mode - */

	mode |= k->a;

	k->total = mode;

	return put_user(k->total, &u->a);
}
