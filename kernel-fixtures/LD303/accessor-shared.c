// SPDX-License-Identifier: GPL-2.0
/*
 * Title: it loads what the caller loads
 * Row: an accessor out of line
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum = 0;

	if (volume_is(h->mount->slot.volume, 1))
		sum = 1;
	if (mount_is_flagged(h->mount, 2))	/* want: LD303 report out-of-line 2 h->mount->slot.volume - */
		sum += 2;

	return put_user(sum, &u->a);
}
