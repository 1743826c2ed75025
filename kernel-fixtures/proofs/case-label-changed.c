// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the label of a case, which has no code of its own, next to a correct change
 * Verdict: not proven
 * Says: now precedes
 * Unproven: no proof looks at what a call depends on that moves before an access
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	switch (k->count) {
	case 1:
		audit(k);
		break;
	case 2:
		k->a = 5;
		break;
	}
	return get_user(k->b, &u->b);
}

int other(struct karg *k, struct uarg __user *u);

int other(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a))
		return -EFAULT;
	return 0;
}
