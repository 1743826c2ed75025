// SPDX-License-Identifier: GPL-2.0
/*
 * Title: its size is asked for
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report narrow-use - mode - */
	u32 sum = (mode & 7) + sizeof(mode);

	return put_user(sum, &u->a);
}
