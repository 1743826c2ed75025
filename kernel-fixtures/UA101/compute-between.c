// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what only computes stays in the window, between accesses and in a value
 * Row: arithmetic between
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	compat_uptr_t next;

	if (get_user(next, &u->ptr32))	/* want: UA101 rewrite manual 3 u rw */
		return -EFAULT;
	k->user = compat_ptr(next);
	if (get_user(k->a, &u->a))
		return -EFAULT;
	if (put_user(lower_32_bits(k->q0), &u->len))
		return -EFAULT;

	return 0;
}
