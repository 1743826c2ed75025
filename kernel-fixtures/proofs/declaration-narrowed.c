// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a declaration is narrowed, next to a correct change
 * Verdict: different
 * Says: kernel memory
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 value;

	if (get_user(value, &u->a))
		return -EFAULT;
	k->a = value;
	return 0;
}

int other(struct karg *k, struct uarg __user *u);

int other(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a))
		return -EFAULT;
	return 0;
}
