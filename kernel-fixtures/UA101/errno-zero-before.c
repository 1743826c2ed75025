// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the error variable is 0 before the run on every path, so nothing sets it to 0 after it
 * Row: err |= …
 * Shape: B
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = 0;

	switch (k->count) {
	case 1:
		err = k->a ? -EINVAL : 0;
		break;
	}
	if (err)
		return err;

	if (k->total) {
		err = put_user(k->a, &u->a);	/* want: UA101 rewrite prepared 2 u write */
		err |= put_user(k->b, &u->b);
	}
	return err;
}
