// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an argument with a side effect is evaluated twice
 * Verdict: different
 * Says: user store 4|kernel memory
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->index++, &u->a) ||
	    put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
