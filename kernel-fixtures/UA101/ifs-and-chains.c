// SPDX-License-Identifier: GPL-2.0
/*
 * Title: separate ifs, one of them a chain
 * Row: separate ifs, the same exit
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b, c;

	if (get_user(a, &u->a))	/* want: UA101 rewrite safe 3 u read */
		return -EFAULT;

	if (get_user(b, &u->b) || get_user(c, &u->c))
		return -EFAULT;

	k->a = a ^ b ^ c;
	return 0;
}
