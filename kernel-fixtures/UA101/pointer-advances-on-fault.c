// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the error path tells how far the pointer got
 * Row: pointer changes between accesses
 * Shape: I
 * Twin: pointer-advances
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *p = u;

	if (put_user(k->a, (u32 __user *)p))	/* want: UA101 report base-changes 2 p write */
		goto out;
	p += sizeof(u32);
	if (put_user(k->b, (u32 __user *)p))
		goto out;

	return 0;
out:
	k->total = p - (void __user *)u;
	return -EFAULT;
}
