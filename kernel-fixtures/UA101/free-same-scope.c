// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memory freed at the end of the scope the label is in
 * Unproven: a function that is called after the fault may look at what was not zeroed
 * Row: inside a guard() or __free() scope
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 *values __free(kfree) = kmalloc(3 * sizeof(*values), GFP_KERNEL);

	if (!values)
		return -ENOMEM;
	if (get_user(values[0], &u->a) ||	/* want: UA101 rewrite prepared 3 u read */
	    get_user(values[1], &u->b) ||
	    get_user(values[2], &u->c))
		return -EFAULT;

	k->total = values[0] + values[1] + values[2];
	return 0;
}
