// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a lock between
 * Row: a prefix of chains
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum;

	sum = h->mount->slot.volume->disk->sectors;	/* want: LD302 report chain-changes 4 h - */
	spin_lock(&k->spin);
	h->position = sum;
	spin_unlock(&k->spin);
	sum += h->mount->slot.volume->disk->reads;	/* want: LD302 report chain-changes 4 h - */

	return put_user(sum, &u->a);
}
