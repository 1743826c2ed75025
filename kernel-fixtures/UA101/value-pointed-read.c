// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the fault path reads a local through a pointer to it
 * Row: destination read on the fault path
 * Shape: A
 * Twin: value-pointed
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = 1, b = 2, *first = &a;

	if (get_user(a, &u->a) ||	/* want: UA101 report value-read-on-fault 2 u read */
	    get_user(b, &u->b)) {
		k->total = *first;
		return -EFAULT;
	}

	k->total = a + b;
	return 0;
}
