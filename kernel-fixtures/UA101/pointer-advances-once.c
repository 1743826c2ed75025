// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the last object is not passed, and the pointer has no further use
 * Row: pointer changes between accesses
 * Shape: I
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *p = u;

	if (get_user(k->a, (u32 __user *)p))	/* want classic: UA101 rewrite prepared 2 p read */ /* want scoped: UA101 rewrite manual 2 p read */
		return -EFAULT;
	p += sizeof(u32);
	if (get_user(k->b, (u32 __user *)p))
		return -EFAULT;

	return 0;
}
