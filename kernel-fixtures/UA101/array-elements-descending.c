// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the highest index comes first and gives the size
 * Row: constant stride
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u16 __user *p = &u->h0;
	u16 low, high;

	if (get_user(high, &p[1]) || get_user(low, &p[0]))	/* want: UA101 rewrite safe 2 p read */
		return -EFAULT;

	k->a = (u32)high << 16 | low;
	return 0;
}
