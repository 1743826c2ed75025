// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a return inside the window for one computed value
 * Verdict: different
 * Says: user access open
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 rest = (k->a ^ k->b >> 7) * 2654435761U ^ k->c;

	if (put_user(rest, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
