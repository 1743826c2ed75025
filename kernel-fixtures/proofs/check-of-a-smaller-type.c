// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a range of constant length, of which the machine code does not tell, is checked for a part
 * Verdict: different
 * Says: the range that is checked ends
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
