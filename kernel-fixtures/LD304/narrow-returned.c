// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a complement as a result of eight bytes
 * Row: a narrow local
 * Twin: narrow-complement
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

static long long other(struct karg *k)
{
	u16 mode = k->h0;	/* want: LD304 report narrow-use - mode - */

	return ~mode;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return put_user((u32)(other(k) >> 32), &u->a);
}
