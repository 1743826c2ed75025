// SPDX-License-Identifier: GPL-2.0
/*
 * Title: three copies in a row may be a window
 * Row: copy_from_user() of a scalar
 * Twin: scalar-row
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_to_user(&u->a, &k->a, sizeof(k->a)))	/* want: UA201 rewrite manual 1 &u->a write */
		return -EFAULT;
	if (copy_to_user(&u->b, &k->b, sizeof(k->b)))	/* want: UA201 rewrite manual 1 &u->b write */
		return -EFAULT;
	if (copy_to_user(&u->c, &k->c, sizeof(k->c)))	/* want: UA201 rewrite manual 1 &u->c write */
		return -EFAULT;
	return 0;
}
