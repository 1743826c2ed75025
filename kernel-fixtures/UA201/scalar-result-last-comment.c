// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that ends with the test of the copy's result, which has a comment
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;

	err = copy_to_user(&u->a, &k->a, sizeof(k->a));	/* want: UA201 rewrite safe 1 &u->a write */
	if (err) {
		/* a bad pointer */
		return -EFAULT;
	}
	return 0;
}
