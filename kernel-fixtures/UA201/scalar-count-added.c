// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bytes left of two copies are added
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned long left = 0;

	left += copy_to_user(&u->a, &k->a, sizeof(k->a));	/* want: UA201 rewrite safe 1 &u->a write */
	audit(k);
	left += copy_to_user(&u->b, &k->b, sizeof(k->b));	/* want: UA201 rewrite safe 1 &u->b write */
	return left ? -EFAULT : 0;
}
