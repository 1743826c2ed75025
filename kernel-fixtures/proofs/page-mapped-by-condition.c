// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a page is only unmapped under a condition, which nothing shows without high memory
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/highmem.h>

void subject(struct page *p, void *d, int q)
{
	void *a = kmap_local_page(p);

	memcpy(d, a, 64);
	kunmap_local(a);
}
