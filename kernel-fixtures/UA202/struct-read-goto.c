// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault goes to a label
 * Row: members one by one
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *from = &u->pos;
	struct point where;
	int err = -EFAULT;

	mutex_lock(&k->lock);
	if (copy_from_user(&where, from, sizeof(where)))	/* want: UA202 rewrite prepared 1 from read */
		goto out;
	k->pos = where;
	err = 0;
out:
	mutex_unlock(&k->lock);
	return err;
}
