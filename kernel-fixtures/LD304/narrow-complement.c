// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a complement under a mask, compared with zero
 * Row: a narrow local
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 mode = k->h0;	/* want: LD304 rewrite prepared - mode - */
	int mask = k->s0 & 7;
	u32 sum = 1;

	if ((mask & ~mode & 7) == 0)
		sum = mode;

	return put_user(sum, &u->a);
}
