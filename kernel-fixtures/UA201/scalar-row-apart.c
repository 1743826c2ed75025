// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call is between two copies
 * Row: copy_from_user() of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_to_user(&u->a, &k->a, sizeof(k->a)))	/* want: UA201 rewrite safe 1 &u->a write */
		return -EFAULT;
	audit(k);
	if (copy_to_user(&u->b, &k->b, sizeof(k->b)))	/* want: UA201 rewrite safe 1 &u->b write */
		return -EFAULT;
	return 0;
}
