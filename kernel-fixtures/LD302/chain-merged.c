// SPDX-License-Identifier: GPL-2.0
/*
 * Title: nothing between: a compiler loads the prefix once
 * Row: a prefix of chains
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum;

	sum = h->mount->slot.volume->disk->sectors;	/* want: LD302 report chain-merged 4 h - */
	sum += h->mount->slot.volume->disk->reads;	/* want: LD302 report chain-merged 4 h - */

	return put_user(sum, &u->a);
}
