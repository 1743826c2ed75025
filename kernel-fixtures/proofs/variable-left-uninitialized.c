// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an attribute keeps the compiler from clearing a variable
 * Verdict: not proven
 * Says: promises to the compiler
 */
#include <fixture/arguments.h>

void fill(char *buf);

int subject(struct karg *k, struct uarg __user *u)
{
	char buf[32];

	fill(buf);
	k->b = buf[0];
	return 0;
}
