// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what a function does with an option in its place
 * Verdict: not proven
 * Says: mapping_max_folio_order\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/pagemap.h>

int changed(struct address_space *m)
{
	return mapping_max_folio_order(m);
}
