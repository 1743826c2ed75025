// SPDX-License-Identifier: GPL-2.0
/*
 * Title: it calls another that does
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
	if (handle_is_flagged(h, 2))	/* want: LD303 report out-of-line 3 h->mount - */
		sum += 2;

	return put_user(sum, &u->a);
}
