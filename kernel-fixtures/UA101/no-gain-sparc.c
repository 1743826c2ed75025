// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an architecture whose window is only the range check
 * Row: length of the run
 * Shape: A
 * Twin: gain-powerpc
 * Path: arch/sparc/kernel
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) ||	/* want: UA101 report no-gain-arch 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
