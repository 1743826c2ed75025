// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the accesses initialize the error variable, as in __save_altstack()
 * Row: err |= … accumulates
 * Shape: B
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 first = k->a;
	int err = __put_user(first, &u->a) |	/* want: UA101 rewrite prepared 3 u write */
		__put_user(k->b, &u->b) |
		__put_user(k->c, &u->c);
	return err;
}
