// SPDX-License-Identifier: GPL-2.0
/*
 * Title: blank lines and comments stay with what they belong to
 * Row: arithmetic between
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	/* The first word. */
	if (get_user(a, &u->a))	/* want: UA101 rewrite manual 2 u read */
		return -EFAULT;

	if (a > 1000)
		return -EINVAL;

	/* The second word. */
	if (get_user(b, &u->b))
		return -EFAULT;

	k->total = a + b;
	return 0;
}
