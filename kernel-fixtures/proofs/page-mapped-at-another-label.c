// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an error leads past the statement that unmaps a page
 * Verdict: not proven
 * Says: not reached as before
 */
#include <linux/highmem.h>
#include <linux/errno.h>

extern int subject_do(void *a);
int subject(struct page *p)
{
	void *a = kmap_local_page(p);
	int ret;

	ret = subject_do(a);
	if (ret)
		goto out_unmap;
	ret = subject_do(a);
	if (ret > 1)
		goto out;
out_unmap:
	kunmap_local(a);
out:
	return ret;
}
