// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another value where a constant is another one, which C also needs to be one
 * Verdict: not proven
 * Says: or be another value
 */
#include <linux/mm.h>

void note(int value);
int subject(int a, int b);

int subject(int a, int b)
{
	int value;

	b += __builtin_choose_expr(PAGE_SIZE > 4096, 1, 0);
	value = b;
	if (PAGE_SIZE > 4096)
		note(value);
	return a + b;
}
