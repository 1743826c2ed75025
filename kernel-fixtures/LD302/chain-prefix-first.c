// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first of them in the first statement
 * Row: a prefix of chains
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);

	k->total = h->mount->slot.volume->disk->sectors;	/* want: LD302 rewrite prepared 4 h - */
	if (h->mount->slot.volume->flags & 1)
		k->a = 1;

	return put_user(k->total, &u->a);
}
