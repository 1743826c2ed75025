// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call whose result is not stored moves up
 * Verdict: not proven
 * Says: now precedes
 * Unproven: no proof looks at what a call depends on that moves before an access
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

extern int probe(u32 number);

int subject(struct karg *k, struct uarg __user *u)
{
	int state;

	if (put_user(k->a, &u->a))
		return -EFAULT;
	state = probe(k->b);
	if (put_user(k->c, &u->c))
		return -EFAULT;

	return state;
}
