// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same where a number was set
 * Verdict: not proven
 * Says: PAGE_SIZE may have another value
 */
#include <linux/minmax.h>
#include <linux/mm.h>

void take(void *p, size_t n);

void subject(void *p, size_t n)
{
	if (n > PAGE_SIZE)
		n = 4096;
	take(p, n);
}
