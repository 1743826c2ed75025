// SPDX-License-Identifier: GPL-2.0
/*
 * Title: half of a scalar and two scalars are cleared
 * Row: the size of what is pointed to
 * Twin: clear-scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (clear_user(&u->q0, sizeof(u32)))	/* want: UA205 report size-differs 1 &u->q0 write */
		return -EFAULT;
	audit(k);
	if (clear_user(&u->a, 8))	/* want: UA205 report size-differs 1 &u->a write */
		return -EFAULT;

	return 0;
}
