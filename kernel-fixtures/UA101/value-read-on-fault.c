// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the exit looks at what was loaded
 * Row: destination read on the fault path
 * Shape: A
 * Twin: chain-get-locals
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 len, a;

	if (get_user(len, &u->len) || get_user(a, &u->a)) {	/* want: UA101 report value-read-on-fault 2 u read */
		k->total = len;
		return -EFAULT;
	}

	k->a = a;
	return 0;
}
