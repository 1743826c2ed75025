// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load of what shares its place with another member
 * Row: a prefix of chains
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum;

	sum = h->mount->slot.volume->spare->sectors;	/* want: LD302 report chain-changes 4 h - */
	h->mount->slot.volume->tag = (unsigned long)h->mount->volumes[1]->disk;
	sum += h->mount->slot.volume->spare->reads;	/* want: LD302 report chain-changes 4 h - */

	return put_user(sum, &u->a);
}
