// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another of its name in a block
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 report declared-together - mode - */
	u32 sum = mode & 7;

	if (sum) {
		int mode = k->s0;

		sum += mode >> 4;
	}

	return put_user(sum, &u->a);
}
