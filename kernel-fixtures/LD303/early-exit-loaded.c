// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the caller needs the argument of a function that may return first
 * Row: a function with an early exit
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);

	k->total = h->mount->slot.number;
	return put_user(handle_number(h, k->flag), &u->a);
}
