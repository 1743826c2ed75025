// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the root is another object for the second
 * Row: a prefix of chains
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	struct handle other = *h;
	u32 sum;

	sum = h->mount->slot.volume->disk->sectors;	/* want: LD302 report chain-changes 4 h - */
	other.position = sum;
	h = &other;
	sum += h->mount->slot.volume->disk->reads;	/* want: LD302 report chain-changes 4 h - */

	return put_user(sum, &u->a);
}
