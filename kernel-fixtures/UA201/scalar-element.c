// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first element of an array is written as such, a member without parentheses
 * Row: hand-written
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u8 magic[4];
	u32 words[2];

	if (copy_from_user(magic, &u->b0, 1))	/* want: UA201 rewrite safe 1 &u->b0 read */
		return -EFAULT;
	audit(k);
	if (copy_from_user(words, &u->a, 4) || words[0] > (0x1000 - sizeof(words[0])) / sizeof(words[0]))	/* want: UA201 rewrite prepared 1 &u->a read */
		return -EFAULT;
	if (copy_to_user(&u->b, &(k->b), sizeof(k->b)))	/* want: UA201 rewrite safe 1 &u->b write */
		return -EFAULT;
	k->total = magic[0] + words[0];
	return 0;
}
