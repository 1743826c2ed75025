// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the index differs for the second
 * Row: a prefix of chains
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum, i = 0;

	sum = h->mount->volumes[i]->disk->sectors;	/* want: LD302 report chain-changes 4 h - */
	h->position = sum;
	i++;
	sum += h->mount->volumes[i]->disk->reads;	/* want: LD302 report chain-changes 4 h - */

	return put_user(sum, &u->a);
}
