// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the errno of before is still returned after the window
 * Row: goto out with the errno set
 * Shape: D
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
	if (err < 0)
		goto out;

	if (put_user(k->a, &u->a) ||	/* want classic: UA101 rewrite safe 3 u write */ /* want scoped: UA101 rewrite manual 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c)) {
		err = -EFAULT;
		goto out;
	}
out:
	k->total++;
	return err;
}
