// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a page is unmapped on the same paths
 * Verdict: proven
 */
#include <linux/highmem.h>

extern int use(void *a);

int subject(struct page *p)
{
	void *a = kmap_local_page(p);
	int ret;

	ret = use(a);
	if (ret)
		goto out_unmap;
	ret = use(a);
	if (ret > 1)
		goto out_unmap;
	ret = 0;
out_unmap:
	kunmap_local(a);
	return ret;
}
