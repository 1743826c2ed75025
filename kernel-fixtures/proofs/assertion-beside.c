// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a compile-time assertion of a constant of the architecture, beside a right change
 * Verdict: proven
 */
#include <linux/build_bug.h>
#include <linux/mm.h>

void note(int value);
int subject(int a, int b);

int subject(int a, int b)
{
	int value;

	BUILD_BUG_ON(PAGE_SIZE < 4096);
	value = b;
	if (PAGE_SIZE > 4096)
		note(value);
	return a + b;
}
