// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an argument of a function that takes any
 * Row: a narrow local
 * Twin: narrow-argument
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report narrow-use - mode - */
	u32 sum = any_mode(2, mode & 7, mode);

	return put_user(sum, &u->a);
}
