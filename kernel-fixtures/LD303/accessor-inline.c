// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro that the caller sees does the same
 * Row: an accessor out of line
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct volume *v = handle_of(k)->mount->slot.volume;
	u32 sum = 0;

	if (volume_is(v, 1))
		sum = volume_flags(v);	/* want: LD303 rewrite prepared 1 v->flags - */

	return put_user(sum, &u->a);
}
