// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an annotation after the parameters is kept
 * Verdict: proven
 */
#include <fixture/arguments.h>

u32 seen(struct karg *k) __must_check;

int subject(struct karg *k, struct uarg __user *u)
{
	k->b = seen(k) + 1;
	return 0;
}
