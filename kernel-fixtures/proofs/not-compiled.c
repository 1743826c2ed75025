// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the changed lines are not compiled in this configuration
 * Verdict: not proven
 * Says: removed by the preprocessor
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#ifdef CONFIG_NO_KERNEL_HAS_THIS
int other(struct karg *k, struct uarg __user *u)
{
	return put_user(k->a, &u->a) || put_user(k->b, &u->b) ? -EFAULT : 0;
}
#endif

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) ||
	    put_user(k->h0, &u->h0) ||
	    put_user(k->q0, &u->q0))
		return -EFAULT;

	k->total++;
	return 0;
}
