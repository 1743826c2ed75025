// SPDX-License-Identifier: GPL-2.0
/*
 * Title: sums and a kernel store between the accesses stay where they are
 * Row: arithmetic, compares, kernel stores between
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 sum;

	if (put_user(k->a, &u->a))	/* want: UA101 rewrite safe 3 u write */
		return -EFAULT;
	sum = k->a + k->b;
	k->total = sum;
	if (put_user(sum, &u->b))
		return -EFAULT;
	sum ^= k->c;
	if (put_user(sum, &u->c))
		return -EFAULT;

	return 0;
}
