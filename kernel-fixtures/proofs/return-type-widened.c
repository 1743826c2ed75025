// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function returns an unsigned error as long, and its caller is unchanged
 * Verdict: different
 * Says: it returned
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

long caller(struct karg *k, struct uarg __user *u);

static noinline int fetch(struct karg *k, struct uarg __user *u)
{
	u32 ret = 0;

	if (get_user(k->a, &u->a))
		ret = -EFAULT;
	return ret;
}

long caller(struct karg *k, struct uarg __user *u)
{
	return fetch(k, u);
}
