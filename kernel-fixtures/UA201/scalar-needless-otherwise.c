// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is stored is another errno, or for another result
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	err = copy_to_user(&u->a, &k->a, sizeof(k->a));	/* want: UA201 rewrite safe 1 &u->a write */
	if (err) {
		err = -EIO;
		goto out;
	}
	err = copy_to_user(&u->b, &k->b, sizeof(k->b));	/* want: UA201 rewrite safe 1 &u->b write */
	if (err || k->flag) {
		err = -EFAULT;
		goto out;
	}
	err = copy_to_user(&u->c, &k->c, sizeof(k->c));	/* want: UA201 rewrite safe 1 &u->c write */
	/* whatever happened */
	if (err) {
		err = -EFAULT;
		goto out;
	}
	err = 0;
out:
	audit(k);
	return err;
}
