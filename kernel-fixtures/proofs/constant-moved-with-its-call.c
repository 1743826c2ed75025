// SPDX-License-Identifier: GPL-2.0
/*
 * Title: calls with a constant and a number, in another order around what does not matter
 * Verdict: proven
 */
#include <linux/mm.h>

size_t take(size_t n) __attribute_const__;

size_t subject(void)
{
	size_t a = take(PAGE_SIZE);
	size_t b = 4096 + 1;

	return a + b;
}
