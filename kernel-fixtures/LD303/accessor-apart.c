// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call between may change what is loaded
 * Row: an accessor out of line
 * Twin: accessor-shared
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct volume *v = handle_of(k)->mount->slot.volume;
	u32 sum = 0;

	if (volume_is(v, 1))
		sum = 1;
	audit(k);
	sum += volume_flags(v);

	return put_user(sum, &u->a);
}
