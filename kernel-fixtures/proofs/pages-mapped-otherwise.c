// SPDX-License-Identifier: GPL-2.0
/*
 * Title: pages mapped in another order than they are unmapped
 * Verdict: not proven
 * Says: is not reached as before
 */
#include <linux/highmem.h>

void changed(struct page *to, struct page *from);

void changed(struct page *to, struct page *from)
{
	void *a, *b;

	a = kmap_local_page(to);
	b = kmap_local_page(from);
	memcpy(a, b, 64);
	kunmap_local(b);
	kunmap_local(a);
}
