// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an initialiser that is folded, next to a correct change
 * Verdict: different
 * Says: it returned
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int most = 8;

	if (k->count >= most)
		return -EINVAL;
	return get_user(k->b, &u->b);
}

int other(struct karg *k, struct uarg __user *u);

int other(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a))
		return -EFAULT;
	return 0;
}
