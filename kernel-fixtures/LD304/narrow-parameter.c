// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a parameter
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

static u32 other(u16 mode)	/* want: LD304 report parameter - mode - */
{
	return mode & 7;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return put_user(other(k->h0), &u->a);
}
