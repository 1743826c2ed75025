// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call is made inside a window
 * Verdict: different
 * Says: encode\(\) is called with user access open
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
