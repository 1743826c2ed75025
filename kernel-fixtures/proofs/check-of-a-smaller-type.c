// SPDX-License-Identifier: GPL-2.0
/*
 * Title: access_ok() covers part of a range of constant length
 * Verdict: not proven
 * Says: bytes were checked
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!access_ok(u, sizeof(*u)))
		return -EFAULT;
	if (__put_user(k->a, &u->a) || __put_user(k->b, &u->b))
		return -EFAULT;
	k->total++;

	return 0;
}
