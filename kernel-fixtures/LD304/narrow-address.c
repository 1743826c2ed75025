// SPDX-License-Identifier: GPL-2.0
/*
 * Title: its address is taken
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report narrow-use - mode - */

	if (get_user(mode, &u->h0))
		return -EFAULT;

	return put_user(mode & 7, &u->h1);
}
