// SPDX-License-Identifier: GPL-2.0
/*
 * Title: each configuration makes one of the two accesses
 * Row: access in a macro, or several #ifdef branches
 * Shape: E
 * Twin: ifdef-outside
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret;

#ifdef CONFIG_FIXTURE_SERIAL
	ret = put_user(k->a, &u->a);	/* want: UA101 report ifdef 2 u write */
#else
	ret = put_user(k->b, &u->b);
#endif
	return ret;
}
