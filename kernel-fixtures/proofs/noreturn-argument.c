// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that does not return gets another argument
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/kthread.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b = k->b;

	if (a == 0x123)
		kthread_exit(b);

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
