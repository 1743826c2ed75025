// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two copies in a row may be a window
 * Row: copy_from_user() of a scalar
 * Twin: scalar-row-apart
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_to_user(&u->a, &k->a, sizeof(k->a)))	/* want classic: UA201 rewrite safe 1 &u->a write */ /* want scoped: UA201 rewrite manual 1 &u->a write */
		return -EFAULT;
	if (copy_to_user(&u->b, &k->b, sizeof(k->b)))	/* want classic: UA201 rewrite safe 1 &u->b write */ /* want scoped: UA201 rewrite manual 1 &u->b write */
		return -EFAULT;
	return 0;
}
