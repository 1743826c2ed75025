// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an assertion that needs a constant, and another value where that constant is another one
 * Verdict: not proven
 * Says: or be another value
 */
#include <linux/build_bug.h>
#include <linux/mm.h>

void note(int value);
int subject(int a, int b);

int subject(int a, int b)
{
	int value = b;

	static_assert(PAGE_SIZE >= 4096);
	if (PAGE_SIZE > 4096)
		note(value);
	return a + b;
}
