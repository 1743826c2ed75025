// SPDX-License-Identifier: GPL-2.0
/*
 * Title: only -EFAULT is left for the label to return, as in autofs_get_set_timeout()
 * Row: error variable
 * Shape: D
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int rv;

	rv = get_user(k->a, &u->a);	/* want classic: UA101 rewrite manual 2 u rw */ /* want scoped: UA101 rewrite prepared 2 u rw */
	if (rv)
		goto error;

	rv = put_user(k->b, &u->b);
	if (rv)
		goto error;

	k->count = k->a;
	return 0;
error:
	return rv;
}
