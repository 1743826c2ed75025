// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a complement that clears bits of eight bytes
 * Row: a narrow local
 * Twin: narrow-complement
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report narrow-use - mode - */
	u64 sum = k->q0;

	sum &= ~mode;

	return put_user((u32)(sum >> 32), &u->a);
}
