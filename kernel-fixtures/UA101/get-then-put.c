// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one object is read and then written
 * Row: read then write of one object
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	if (get_user(a, &u->a) || get_user(b, &u->b))	/* want: UA101 rewrite safe 3 u rw */
		return -EFAULT;
	if (put_user(a + b, &u->c))
		return -EFAULT;

	k->total = a;
	return 0;
}
