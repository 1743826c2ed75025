// SPDX-License-Identifier: GPL-2.0
/*
 * Title: stores that may alias are reordered
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 *p = (u32 *)k->l0, *q = (u32 *)k->l1;
	u32 __user *w = &u->a;
	p[0] = 1;
	q[0] = 2;
	p[1] = 3;
	return put_user(7, w);
}
