// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the fault path passes on the structure that was loaded into
 * Row: destination read on the fault path
 * Shape: D
 * Twin: value-freed-on-fault
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = -EFAULT;

	if (get_user(k->a, &u->a))	/* want: UA101 report value-read-on-fault 2 u read */
		goto out;
	if (get_user(k->b, &u->b))
		goto out;
	err = 0;
out:
	audit(k);
	return err;
}
