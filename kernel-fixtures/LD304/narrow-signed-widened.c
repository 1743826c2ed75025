// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a difference that becomes eight bytes
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report narrow-use - mode - */
	s64 sum = mode - 0xfff0;

	return put_user((u32)(sum >> 32), &u->a);
}
