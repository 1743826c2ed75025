// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store of the value that is there is added, which may undo one of another CPU
 * Verdict: not proven
 * Says: was not written
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->total)
		k->total = 0;
	return put_user(k->a, &u->a);
}
