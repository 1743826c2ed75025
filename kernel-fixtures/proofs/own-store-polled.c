// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member that was just cleared is polled once, not until another processor sets it
 * Verdict: not proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->total = 0;
	while (!k->total)
		cpu_relax();
	return put_user(k->a, &u->a);
}
