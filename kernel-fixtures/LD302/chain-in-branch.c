// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the second one only in a branch
 * Row: a prefix of chains
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum = 0;

	h->position = 1;
	if (h->mount->slot.volume->disk->sectors & 1) {	/* want: LD302 rewrite prepared 4 h - */
		h->opened = 2;
		sum = h->mount->slot.volume->flags;
	}

	return put_user(sum, &u->a);
}
