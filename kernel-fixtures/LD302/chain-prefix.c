// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two long chains that begin alike, a store to another member between
 * Row: a prefix of chains
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum;

	sum = h->mount->slot.volume->disk->sectors;	/* want: LD302 rewrite prepared 4 h - */
	h->position = sum;
	sum += h->mount->slot.volume->disk->reads;	/* want: LD302 rewrite prepared 4 h - */

	return put_user(sum, &u->a);
}
