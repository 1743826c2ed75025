// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a signed one
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	s16 mode = k->h0;	/* want: LD304 report may-not-fit - mode - */

	return put_user(mode < 7, &u->a);
}
