// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an enumerator loses the number that it has anyway, and another one comes last
 * Verdict: proven
 */
#include <fixture/arguments.h>

enum { FIRST = 1, SECOND = 2, THIRD };

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = k->b == SECOND ? FIRST : THIRD;
	return 0;
}
