// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer moves by more than the object
 * Row: pointer changes between accesses
 * Shape: I
 * Twin: pointer-advances
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *p = u;

	if (put_user(k->h0, (u16 __user *)p))	/* want: UA101 report base-changes 2 p write */
		return -EFAULT;
	p += sizeof(u32);
	if (put_user(k->b, (u32 __user *)p))
		return -EFAULT;

	return 0;
}
