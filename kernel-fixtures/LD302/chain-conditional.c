// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first one only where something holds
 * Row: a prefix of chains
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum = 0;

	if (k->flag && h->mount->slot.volume->disk->sectors)	/* want: LD302 report unusual-form 4 h - */
		sum = 1;
	h->position = sum;
	sum += h->mount->slot.volume->disk->reads;	/* want: LD302 report unusual-form 4 h - */

	return put_user(sum, &u->a);
}
