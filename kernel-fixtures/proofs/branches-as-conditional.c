// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two branches become a conditional argument
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

extern int check(struct karg *k, u32 n);

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(1, &u->a))
		return -EFAULT;
	if (k->flag)
		return check(k, k->a);
	else
		return check(k, k->b);
}
