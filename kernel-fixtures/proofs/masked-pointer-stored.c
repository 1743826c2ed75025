// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer that was masked is stored where later loads may find it, as ep_deliver_event() does
 * Verdict: proven
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
