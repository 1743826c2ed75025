// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a page of high memory has no address
 * Verdict: not proven
 * Says: folio_address\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/mm.h>
#include <linux/highmem.h>

int changed(struct folio *f, void *src)
{
	memcpy_to_page(folio_page(f, 0), 0, src, 16);
	return 0;
}
