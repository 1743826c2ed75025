// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one access of the run exists in some configurations only
 * Row: access in a macro, or several #ifdef branches
 * Shape: C
 * Twin: ifdef-outside
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 report ifdef 3 u write */
		return -EFAULT;
#ifdef CONFIG_FIXTURE_SERIAL
	if (put_user(k->b, &u->b))
		return -EFAULT;
#endif
	if (put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
