// SPDX-License-Identifier: GPL-2.0
/*
 * Title: declared together with another
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0, other = k->h1;	/* want: LD304 report declared-together - mode - */	/* want: LD304 report declared-together - other - */

	return put_user((mode & 7) + (other & 7), &u->a);
}
