// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value another processor may change is read where it was read
 * Unproven: a volatile load is made before an access that it came after
 * Row: a value read from kernel memory that changes
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(READ_ONCE(k->a), &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(READ_ONCE(k->b), &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
