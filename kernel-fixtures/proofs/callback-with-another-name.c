// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function that is passed on gets another name
 * Verdict: not proven
 * Says: may differ
 */
#include <linux/compiler.h>

extern int each_of(int a, int (*each)(int b));

static int doubled_for_each(int b)
{
	return 2 * b;
}

int callback_with_another_name(int a)
{
	return each_of(a, doubled_for_each);
}
