// SPDX-License-Identifier: GPL-2.0
/*
 * Title: scalars are written by a copy
 * Row: size and type of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_to_user(&u->b0, &k->b0, sizeof(k->b0)) ||	/* want classic: UA201 rewrite safe 1 &u->b0 write */ /* want scoped: UA201 rewrite manual 1 &u->b0 write */
	    copy_to_user(&u->s0, &k->s0, sizeof(s32)))	/* want classic: UA201 rewrite safe 1 &u->s0 write */ /* want scoped: UA201 rewrite manual 1 &u->s0 write */
		return -EFAULT;
	audit(k);
	return copy_to_user(&u->q1, &k->q1, sizeof(k->q1)) ? -EFAULT : 0;	/* want classic: UA201 rewrite safe 1 &u->q1 write */ /* want scoped: UA201 rewrite manual 1 &u->q1 write */
}
