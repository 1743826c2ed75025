// SPDX-License-Identifier: GPL-2.0
/*
 * Title: -EFAULT is stored where the access returns it already
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	err = copy_to_user(&u->a, &k->a, sizeof(k->a));	/* want: UA201 rewrite safe 1 &u->a write */
	err = err ? -EFAULT : 0;
	if (err)
		k->flag = 1;

	audit(k);
	err = copy_to_user(&u->b, &k->b, sizeof(k->b));	/* want: UA201 rewrite safe 1 &u->b write */
	if (err)
		err = -EFAULT;

	audit(k);
	return err;
}
