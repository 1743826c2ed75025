// SPDX-License-Identifier: GPL-2.0
/*
 * Title: given what may be wider: the type cuts it off
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->a;	/* want: LD304 report may-not-fit - mode - */

	if (mode & 7)
		mode >>= 3;

	return put_user(mode, &u->h0);
}
