// SPDX-License-Identifier: GPL-2.0
/*
 * Title: its complement is compared
 * Row: uses that may tell
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u16 mode = h->opened & 0x7fff;	/* want: LD304 report narrow-use - mode - */
	u32 sum = 0;

	if (mode & 7)
		sum = mode & 0x38;
	if (~mode == -3)
		sum++;

	return put_user(sum, &u->a);
}
