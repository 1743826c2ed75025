// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the number of bytes that a copy leaves is returned, and stores know none
 * Verdict: different
 * Says: returned
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point pos = { k->a, k->b, k->c };

	return copy_to_user(&u->pos, &pos, sizeof(pos));
}
