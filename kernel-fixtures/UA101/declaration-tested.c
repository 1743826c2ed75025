// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an error variable that is declared with the first access and tested
 * Row: err |= … accumulates
 * Shape: B
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = get_user(k->a, &u->a);	/* want: UA101 rewrite prepared 2 u read */

	err |= get_user(k->b, &u->b);
	if (err)
		return -EFAULT;
	k->total = k->a + k->b;
	return 0;
}
