// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a constant and a number change places between two calls
 * Verdict: not proven
 * Says: another value
 */
#include <linux/mm.h>

void take(size_t n);
void give(size_t n);

void subject(void)
{
	take(PAGE_SIZE);
	give(4096);
}
