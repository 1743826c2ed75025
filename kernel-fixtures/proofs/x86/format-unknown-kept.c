// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is printed by a format that is not known is the same
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/printk.h>

int subject(struct karg *k, struct uarg __user *u)
{
	const char *said = (const char *)k->q0;

	_printk(said, k->a, k->b, k->q1, k->c, k->d, k->s0, k->s1, k->h0);
	return 0;
}
