// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the type of a function's result is spelled otherwise, on a line that has no code
 * Verdict: proven
 */
#include <fixture/arguments.h>

unsigned encoded(u32 value)
{
	return encode(value) + 1;
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = k->b;
	return 0;
}
