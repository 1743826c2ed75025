// SPDX-License-Identifier: GPL-2.0
/*
 * Title: masked and shifted, from a field as narrow
 * Row: a narrow local
 */
#include <fixture/volume.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct handle *h = handle_of(k);
	u16 mode = h->mount->volumes[0]->disk->mode;	/* want: LD304 rewrite prepared - mode - */
	u32 sum = 0;

	if (k->flag)
		mode >>= 6;
	if (mode & 7)
		sum = mode & 0x38;

	return put_user(sum, &u->a);
}
