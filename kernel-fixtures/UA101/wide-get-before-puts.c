// SPDX-License-Identifier: GPL-2.0
/*
 * Title: eight bytes that 32-bit Arm cannot fetch in a window, before three stores in the older tree
 * Row: 64-bit member before stores
 * Shape: A
 * Twin: u64-load
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 q;

	if (get_user(q, &u->q0))	/* want scoped: UA101 rewrite safe 4 u rw */
		return -EFAULT;
	if (put_user((u32)q, &u->a))	/* want classic: UA101 rewrite safe 3 u write */
		return -EFAULT;
	if (put_user(k->b, &u->b))
		return -EFAULT;
	if (put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
