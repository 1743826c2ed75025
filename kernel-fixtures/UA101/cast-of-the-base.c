// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer is cast to another type in one of two accesses
 * Row: base computed by compat_ptr() or a cast
 * Shape: C
 * Twin: cast-member
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 __user *q = &u->q0;

	if (put_user(k->q1, q + 1))	/* want: UA101 report cast-pointer 2 q write */
		return -EFAULT;
	if (put_user(k->a, (u32 __user *)q))
		return -EFAULT;

	return 0;
}
