// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the caller loads nothing of it
 * Row: an accessor out of line
 * Twin: accessor-shared
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct volume *v = handle_of(k)->mount->volumes[1];
	u32 sum = 0;

	if (v->disk)
		sum = volume_flags(v);

	return put_user(sum, &u->a);
}
