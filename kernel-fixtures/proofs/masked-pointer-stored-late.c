// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer that was masked is stored after a load that may find it
 * Verdict: not proven
 * Unproven: it is wrong, but only where k->l0 leads into k
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct uarg __user **next = (struct uarg __user **)k->l0;

	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;
	*next = u + 1;
	k->total += k->q0;
	return 0;
}
