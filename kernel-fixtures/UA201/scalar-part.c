// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a part of the object is copied
 * Row: the whole object
 * Twin: scalar-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 wide = 0;

	if (copy_from_user(&wide, &u->a, sizeof(u32)))	/* want: UA201 report size-differs 1 &u->a read */
		return -EFAULT;
	k->q0 = wide;
	return 0;
}
