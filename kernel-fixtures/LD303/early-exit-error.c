// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the function returns first with an error, which is unusual
 * Row: a function with an early exit
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);

	return put_user(number_checked(k->flag, h->mount->slot.number), &u->a);
}
