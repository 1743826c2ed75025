// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro that returns gets a condition that says the same
 * Verdict: proven
 */
#include <fixture/arguments.h>

#define REFUSE(bad) do { if (bad) return -EINVAL; } while (0)

int subject(struct karg *k, struct uarg __user *u)
{
	REFUSE(k->b);
	k->a = k->b;
	return 0;
}
