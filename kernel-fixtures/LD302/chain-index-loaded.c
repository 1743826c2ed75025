// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what the index is loaded from is stored to
 * Row: stores between
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum;

	sum = h->mount->volumes[h->position & 1]->disk->sectors;	/* want: LD302 report chain-changes 4 h - */
	h->position = sum & 1;
	sum += h->mount->volumes[h->position & 1]->disk->reads;	/* want: LD302 report chain-changes 4 h - */

	return put_user(sum, &u->a);
}
