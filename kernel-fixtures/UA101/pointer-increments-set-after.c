// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer is set before it is used again
 * Row: constant stride
 * Shape: I
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *up = u->words;

	if (put_user(k->words[0], up++) ||	/* want: UA101 rewrite manual 2 up write */
	    put_user(k->words[1], up++))
		return -EFAULT;

	audit(k);
	up = u->words + 4;
	return put_user(k->a, up);
}
