// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop that cannot be followed to its end is written in another way
 * Verdict: proven
 */
#include <fixture/arguments.h>

int subject(struct karg *k, struct uarg __user *u)
{
	while (!READ_ONCE(k->total))
		k->index++;
	for (;;)
		k->index++;
}
