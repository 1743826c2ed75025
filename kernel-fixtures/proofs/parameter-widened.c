// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a parameter is widened on a line without code, next to a correct change
 * Verdict: different
 * Says: it returned
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static noinline int fetch(struct karg *k, struct uarg __user *u,
			  u32 at)
{
	if (at > 7 || get_user(k->a, &u->words[at]))
		return -EFAULT;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return fetch(k, u, k->q0);
}

int other(struct karg *k, struct uarg __user *u);

int other(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a))
		return -EFAULT;
	return 0;
}
