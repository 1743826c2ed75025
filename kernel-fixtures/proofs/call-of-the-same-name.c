// SPDX-License-Identifier: GPL-2.0
/*
 * Title: of two calls of one function, the one not stored moves up
 * Verdict: not proven
 * Says: now precedes
 * Unproven: no proof looks at what a call depends on that moves before an access
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

extern u32 encode(u32 number);

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(encode(k->a), &u->a))
		return -EFAULT;
	if (put_user(k->c, &u->c))
		return -EFAULT;
	encode(k->b);
	if (put_user(k->d, &u->d))
		return -EFAULT;

	return 0;
}
