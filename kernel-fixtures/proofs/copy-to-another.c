// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy becomes stores to another object of the same type
 * Verdict: different
 * Says: user store
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
