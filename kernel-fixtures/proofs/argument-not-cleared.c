// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a struct passed to a call is no longer cleared
 * Verdict: different
 * Says: call measure
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

extern int measure(struct karg *k, struct moment *when);

int subject(struct karg *k, struct uarg __user *u)
{
	struct moment when = { };

	if (measure(k, &when))
		return -EIO;
	if (put_user(when.sec, &u->when.sec) ||
	    put_user(when.nsec, &u->when.nsec))
		return -EFAULT;

	return 0;
}
