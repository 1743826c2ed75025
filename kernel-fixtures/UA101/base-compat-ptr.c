// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same compat_ptr() in every access
 * Row: base computed by compat_ptr() or a cast
 * Shape: J
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 x, y, z;

	(void)u;
	if (get_user(x, &((struct point __user *)compat_ptr(k->uptr32))->x) ||	/* want: UA101 rewrite prepared 3 - read */
	    get_user(y, &((struct point __user *)compat_ptr(k->uptr32))->y) ||
	    get_user(z, &((struct point __user *)compat_ptr(k->uptr32))->z))
		return -EFAULT;

	k->total = x + y + z;
	return 0;
}
