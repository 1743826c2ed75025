// SPDX-License-Identifier: GPL-2.0
/*
 * Title: bytes go to an array one by one, which copy_from_user() takes at once
 * Unproven: the range of a window grows with the number of turns
 * Row: what becomes of the byte
 * Shape: F
 * Twin: loop-count
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	const u8 __user *buf = &u->b0;
	char copied[2];
	unsigned int i;

	for (i = 0; i != 2; i++) {
		u8 c;

		if (get_user(c, buf + i))	/* want: UA102 report copies-bytes 1 buf read */
			return -EFAULT;
		copied[i] = c;
	}
	k->total = copied[0] + copied[1];

	return 0;
}
