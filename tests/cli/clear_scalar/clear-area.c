// SPDX-License-Identifier: GPL-2.0
/*
 * Title: more than a scalar is cleared, or a size given at run time
 * Row: the size
 * Twin: clear-scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (clear_user(&u->pos, sizeof(u->pos)) || clear_user(&u->words, sizeof(u->words)))
		return -EFAULT;
	audit(k);
	return clear_user(u->words, 4 * k->count) ? -EFAULT : 0;
}
