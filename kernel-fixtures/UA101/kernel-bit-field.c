// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a bit-field on the kernel's side is only a value
 * Row: bit-field, wide or structure access
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->bits, &u->a) ||	/* want: UA101 rewrite safe 2 u write */
	    put_user(k->flag, &u->b))
		return -EFAULT;

	return 0;
}
