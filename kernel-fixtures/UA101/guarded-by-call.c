// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the accesses are only made if a call succeeds
 * Row: if (!ret) ret = put_user()
 * Shape: E
 * Twin: return-if-not-ret
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static int prepare(struct karg *k)
{
	return k->count == 3 ? -EINVAL : 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	err = prepare(k);
	if (!err)
		err = put_user(k->a, &u->a);	/* want: UA101 report mixed-condition 2 u write */
	if (!err)
		err = put_user(k->b, &u->b);

	return err;
}
