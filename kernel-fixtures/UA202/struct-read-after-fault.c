// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what was read is used although it faulted: the copy filled it with zeroes
 * Row: zeroing that is seen
 * Twin: struct-read-goto
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *from = &u->pos;
	struct point where;
	int err = 0;

	if (copy_from_user(&where, from, sizeof(where))) {	/* want: UA202 report value-read-on-fault 1 from read */
		err = -EFAULT;
		goto out;
	}
	audit(k);
out:
	k->pos = where;
	return err;
}
