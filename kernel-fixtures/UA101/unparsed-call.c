// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call between the accesses, in an expression that is not parsed
 * Row: spatch cannot parse the function
 * Shape: C
 * Twin: unparsed-cast
 */
#include <fixture/arguments.h>
#include <fixture/macros.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	if (get_user(a, &u->a))	/* want: UA101 report call-between 2 u read */
		return -EFAULT;
	k->total = (OF_TYPE(long))encode(a);
	if (get_user(b, &u->b))
		return -EFAULT;
	k->total += b;
	return 0;
}
