// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memory freed at the end of an inner block the label is outside of
 * Row: inside a guard() or __free() scope
 * Shape: A
 * Twin: free-same-scope
 */
#include <fixture/arguments.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag) {
		u32 *values __free(kfree) = kmalloc(2 * sizeof(*values), GFP_KERNEL);

		if (!values)
			return -ENOMEM;
		values[0] = k->a;
		values[1] = k->b;
		if (put_user(values[0], &u->a) ||	/* want classic: UA101 report cleanup-scope 2 u write */ /* want scoped: UA101 rewrite safe 2 u write */
		    put_user(values[1], &u->b))
			return -EFAULT;
	}

	return 0;
}
