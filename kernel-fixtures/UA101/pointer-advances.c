// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a void pointer moves past objects of different sizes, and is used afterwards
 * Row: pointer changes between accesses
 * Shape: I
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *p = u;

	if (put_user(k->a, (u32 __user *)p))	/* want classic: UA101 rewrite safe 3 p write */ /* want scoped: UA101 rewrite manual 3 p write */
		return -EFAULT;
	p += sizeof(u32);

	if (put_user(k->b, (u32 __user *)p))
		return -EFAULT;
	p += sizeof(u32);

	if (put_user(k->h0, (u16 __user *)p))
		return -EFAULT;
	p += sizeof(u16);

	k->total = p - (void __user *)u;

	return 0;
}
