// SPDX-License-Identifier: GPL-2.0
/*
 * Title: -EFAULT is stored first of all in the exit
 * Row: only zero or not
 * Twin: scalar-needless-otherwise
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	err = copy_to_user(&u->a, &k->a, sizeof(k->a));	/* want: UA201 rewrite safe 1 &u->a write */
	if (err) {
		err = -EFAULT;
		goto out;
	}
	err = copy_to_user(&u->b, &k->b, sizeof(k->b));	/* want: UA201 rewrite safe 1 &u->b write */
	if (err != 0) {
		err = -EFAULT;
		k->flag = 1;
		goto out;
	}
	err = copy_to_user(&u->c, &k->c, sizeof(k->c));	/* want: UA201 rewrite safe 1 &u->c write */
	if (err) {
		err = -EFAULT;
		goto out;	/* nothing to undo */
	}
out:
	audit(k);
	return err;
}
