// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what was written beside the accesses stays beside them
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	/* Older programs look at these three only */
	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    /* the size comes second */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))	/* padding on m68k */
		return -EFAULT;

	/* all of it arrived */
	return 0;
}
