// SPDX-License-Identifier: GPL-2.0
/*
 * Title: it compares with what is static in its file
 * Row: an accessor out of line
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u32 sum = 0;

	if (h->mount->slot.volume->disk)
		sum = disk_is_known(h->mount);	/* want: LD303 report static-object 2 h->mount->slot.volume - */

	return put_user(sum, &u->a);
}
