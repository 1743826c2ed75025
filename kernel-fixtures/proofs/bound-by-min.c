// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a comparison with a constant of the architecture as min()
 * Verdict: proven
 */
#include <linux/minmax.h>
#include <linux/mm.h>

void take(void *p, size_t n);

void subject(void *p, size_t n)
{
	if (n > PAGE_SIZE)
		n = PAGE_SIZE;
	take(p, n);
}
