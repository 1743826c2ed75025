// SPDX-License-Identifier: GPL-2.0
/*
 * Title: volatile: as wide as it was declared
 * Row: uses that may tell
 * Twin: narrow-mask
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	volatile u16 mode = h->opened & 0x7fff;	/* want: LD304 report narrow-use - mode - */
	u32 sum = 0;

	if (mode & 7)
		sum = mode & 0x38;
	sum += mode >> 3;

	return put_user(sum, &u->a);
}
