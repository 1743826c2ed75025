// SPDX-License-Identifier: GPL-2.0
/*
 * Title: scalars are cleared by a routine for areas
 * Row: the size of a scalar, as a type and as a number
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (clear_user(&u->a, sizeof(u32)))	/* want: UA205 rewrite safe 1 &u->a write */
		return -EFAULT;
	audit(k);
	if (clear_user(&u->s0, sizeof(u->s0)) ||	/* want: UA205 rewrite safe 1 &u->s0 write */
	    clear_user(&u->q0, 8))	/* want: UA205 rewrite safe 1 &u->q0 write */
		return -EFAULT;

	return 0;
}
