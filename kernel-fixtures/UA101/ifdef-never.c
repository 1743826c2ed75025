// SPDX-License-Identifier: GPL-2.0
/*
 * Title: code between the accesses that is never compiled
 * Row: access in a macro, or several #ifdef branches
 * Shape: C
 * Twin: ifs-return
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 report ifdef 2 u write */
		return -EFAULT;
#if 0
	/* The first layout had a word here. */
	pad(u);
#endif
	if (put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
