// SPDX-License-Identifier: GPL-2.0
/*
 * Title: macros that only compute are values like others
 * Row: side effects in a value
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define VERSION (WORD(1) << 16)
#define WORD(n) ((u32)(n))
#define OLDER (k->b - 1)

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(VERSION, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(OLDER, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
