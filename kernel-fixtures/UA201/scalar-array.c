// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an array of bytes is no scalar
 * Row: size and type of a scalar
 * Twin: scalar-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u8 magic[4];

	if (copy_from_user(magic, u->words, 4))	/* want: UA201 report size-differs 1 u->words read */
		return -EFAULT;
	k->total = magic[3];
	return 0;
}
