// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a check of formats that is spelled out becomes its macro
 * Verdict: proven
 */
#include <fixture/arguments.h>

u32 seen(const char *text, ...) __attribute__((format(printf, 1, 2)));

int subject(struct karg *k, struct uarg __user *u)
{
	k->b = seen("%u", k->a) + 1;
	return 0;
}
