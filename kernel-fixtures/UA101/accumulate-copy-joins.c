// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy of a structure to user space is collected as well
 * Row: err |= … accumulates
 * Shape: B
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	err |= put_user(k->a, &u->a);	/* want: UA101 rewrite prepared 4 u write */
	err |= put_user(k->b, &u->b);
	err |= put_user(k->c, &u->c);
	err |= copy_to_user(&u->pos, &k->pos, sizeof(k->pos));
	if (err)
		return -EFAULT;

	return 0;
}
