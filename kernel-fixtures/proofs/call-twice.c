// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call for a stored value is made twice
 * Verdict: not proven
 * Says: encode\(\) now precedes
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

extern u32 encode(u32 number);

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) ||
	    put_user(encode(k->b), &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
