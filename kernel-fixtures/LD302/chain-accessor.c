// SPDX-License-Identifier: GPL-2.0
/*
 * Title: loads after an accessor count
 * Row: a chain
 * Twin: chain-prefix
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum;

	sum = disk_of(h)->sectors;	/* want: LD302 report chain-alone 4 h - */

	return put_user(sum, &u->a);
}
