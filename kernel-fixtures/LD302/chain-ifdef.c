// SPDX-License-Identifier: GPL-2.0
/*
 * Title: not all configurations have both
 * Row: a prefix of chains
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum;

	sum = h->mount->slot.volume->disk->sectors;	/* want: LD302 report ifdef 4 h - */
	h->position = sum;
#ifdef CONFIG_64BIT
	sum += h->mount->slot.volume->disk->reads;	/* want: LD302 report ifdef 4 h - */
#endif

	return put_user(sum, &u->a);
}
