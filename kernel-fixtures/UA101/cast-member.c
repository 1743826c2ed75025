// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a cast makes the access narrower than the member
 * Row: wide dst / narrow src, pointer cast
 * Shape: J
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 q = 0;

	if (put_user(k->h0, (u16 __user *)&u->a) ||	/* want: UA101 rewrite safe 3 u rw */
	    put_user(k->b, &u->b) ||
	    get_user(*(u32 *)&q, (u32 __user *)&u->q0))
		return -EFAULT;

	k->q0 = q;

	return 0;
}
