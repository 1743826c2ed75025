// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an enumerator is the size of a page, another one is 4096
 * Verdict: not proven
 * Says: another value
 */
#include <linux/mm.h>

enum { WHOLE = PAGE_SIZE, BLOCK = 4096 };

extern unsigned long take(unsigned long size);

unsigned long subject(void)
{
	take(WHOLE);
	return take(BLOCK);
}
