// SPDX-License-Identifier: GPL-2.0
/*
 * Title: three loads, the address of an array and that of a member
 * Row: a chain
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 *sectors = &h->mount->slot.volume->disk->sectors;
	u32 sum;

	sum = h->mount->slot.volume->flags;

	return put_user(sum + *sectors, &u->a);
}
