// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same helpers, called in other statements
 * Verdict: proven
 */
#include <linux/highmem.h>
#include <linux/unaligned.h>
#include <linux/virtio_ring.h>

int use(u32 n);
int subject(struct page *page, u32 *p, bool weak);

static u32 word(u32 *p, bool weak)
{
	virtio_rmb(weak);
	return get_unaligned(p);
}
static void copied(struct page *page, u32 n)
{
	void *to = kmap_local_page(page);

	memcpy(to, &n, sizeof(n));
	kunmap_local(to);
	flush_dcache_page(page);
}

int subject(struct page *page, u32 *p, bool weak)
{
	u32 n;

	if (!page)
		return -1;
	n = word(p, weak);
	copied(page, n + n);
	if (n)
		return use(n);
	return 0;
}
