// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another variable takes its type
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
	{
		__auto_type less = mode;

		less -= 9;
		sum += less;
	}

	return put_user(sum, &u->a);
}
