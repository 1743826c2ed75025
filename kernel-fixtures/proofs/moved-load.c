// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load moves before a call that may change it
 * Verdict: not proven
 * Says: the data of user store
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

extern void refresh(struct karg *k);

int subject(struct karg *k, struct uarg __user *u)
{
	refresh(k);
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
