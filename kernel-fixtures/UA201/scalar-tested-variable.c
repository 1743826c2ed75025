// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bytes left go into a variable that is only tested
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned long left;
	u32 word;

	left = copy_from_user(&word, &u->a, sizeof(word));	/* want: UA201 rewrite safe 1 &u->a read */
	if (left)
		return -EFAULT;
	left = copy_to_user(&u->b, &word, sizeof(word));	/* want: UA201 rewrite safe 1 &u->b write */
	if (left != 0)
		return -EFAULT;
	return 0;
}
