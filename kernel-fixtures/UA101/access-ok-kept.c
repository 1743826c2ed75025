// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the range check also guards an access after the run, which checks it itself from now on
 * Row: access_ok() directly before, only for this run
 * Shape: G
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!access_ok(u, sizeof(*u)))
		return -EFAULT;
	if (__put_user(k->a, &u->a) || __put_user(k->b, &u->b))	/* want: UA101 rewrite prepared 2 u write */
		return -EFAULT;

	audit(k);
	return __copy_to_user(&u->pos, &k->pos, sizeof(k->pos)) ? -EFAULT : 0;
}
