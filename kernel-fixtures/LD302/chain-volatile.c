// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the object is volatile: each load is to be made
 * Row: loads that stay
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	volatile struct handle *h = handle_of(k);
	u32 sum;

	sum = h->mount->slot.volume->disk->sectors;	/* want: LD302 report chain-changes 4 h - */
	h->position = sum;
	sum += h->mount->slot.volume->disk->reads;	/* want: LD302 report chain-changes 4 h - */

	return put_user(sum, &u->a);
}
