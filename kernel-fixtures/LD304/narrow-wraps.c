// SPDX-License-Identifier: GPL-2.0
/*
 * Title: counted up, which wraps
 * Row: a narrow local
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u8 mode = k->b0;	/* want: LD304 report narrow-use - mode - */

	mode++;
	mode += 2;

	return put_user(mode > 7, &u->b0);
}
