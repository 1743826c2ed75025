// SPDX-License-Identifier: GPL-2.0
/*
 * Title: loads, a structure in and a store, in their order
 * Row: copy_to_user() of a structure
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point where;
	u32 a;

	if (get_user(a, &u->a) ||	/* want: UA101 rewrite prepared 4 u rw */
	    copy_from_user(&where, &u->pos, sizeof(where)) ||
	    put_user(k->a, &u->a) ||
	    copy_to_user(u->words, k->words, sizeof(k->words)))
		return -EFAULT;

	k->pos = where;
	k->total = a;

	return 0;
}
