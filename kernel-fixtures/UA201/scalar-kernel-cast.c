// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a cast says which part of the object is copied
 * Row: the whole object
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 wide = k->q0;

	if (copy_from_user((u32 *)&wide, &u->a, sizeof(u32)))	/* want: UA201 rewrite manual 1 &u->a read */
		return -EFAULT;
	k->q0 = wide;
	return 0;
}
