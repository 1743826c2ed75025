// SPDX-License-Identifier: GPL-2.0
/*
 * Title: its type is asked for
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report narrow-use - mode - */
	typeof(mode) other = k->a;

	return put_user((mode & 7) + other, &u->a);
}
