// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another helper's result is collected too
 * Row: err |= … accumulates
 * Shape: B
 * Twin: accumulate-return
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static int store_point(struct point *from, struct point __user *to)
{
	return copy_to_user(to, from, sizeof(*from)) ? -EFAULT : 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	err = put_user(k->a, &u->a);	/* want: UA101 report work-before-test 2 u write */
	err |= put_user(k->b, &u->b);
	err |= store_point(&k->pos, &u->pos);

	return err;
}
