// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an argument of a function that takes one as narrow, an index
 * Row: a narrow local
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u8 mode = k->b0 & 3;	/* want: LD304 rewrite prepared - mode - */
	u32 sum;

	sum = narrow_mode(mode) + k->words[mode];
	sum += mode ? mode + 1 : k->count * mode;

	return put_user(sum, &u->a);
}
