// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy becomes stores of the members, of which an option may add one
 * Verdict: not proven
 * Says: a size or the place of a member may be another number
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point pos = { k->a, k->b, k->c };

	if (copy_to_user(&u->pos, &pos, sizeof(pos)))
		return -EFAULT;

	return 0;
}
