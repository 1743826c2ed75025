// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an argument is loaded that a function does not use if it returns first
 * Row: a function with an early exit
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);

	return put_user(handle_number(h, k->flag), &u->a);	/* want: LD303 report early-exit 2 h->mount - */
}
