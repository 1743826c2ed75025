// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a preprocessor condition is inverted, next to a correct change
 * Verdict: different
 * Says: it returned
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
#ifdef CONFIG_64BIT
	if (k->count > 8)
		return -EINVAL;
#endif
	return get_user(k->b, &u->b);
}

int other(struct karg *k, struct uarg __user *u);

int other(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a))
		return -EFAULT;
	return 0;
}
