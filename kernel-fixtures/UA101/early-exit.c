// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loaded value is refused before the next load
 * Row: an early exit between accesses
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b, c;

	if (get_user(a, &u->a))	/* want: UA101 rewrite manual 3 u read */
		return -EFAULT;
	if (a > 8)
		return -EINVAL;
	if (get_user(b, &u->b))
		return -EFAULT;
	if (get_user(c, &u->c))
		return -EFAULT;

	k->total = a + b + c;
	return 0;
}
