// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the second address depends on the first value
 * Row: the pointer itself is loaded or changed by data
 * Shape: A
 * Twin: array-elements
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 i, a;

	if (get_user(i, &u->len) || get_user(a, &u->words[i & 7]))	/* want: UA101 report variable-index 2 u read */
		return -EFAULT;

	k->total = a;
	return 0;
}
