// SPDX-License-Identifier: GPL-2.0
/*
 * Title: it does more than to load
 * Row: an accessor out of line
 * Twin: accessor-shared
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum = 0;

	if (volume_is(h->mount->slot.volume, 1))
		sum = mount_use(h->mount);

	return put_user(sum, &u->a);
}
