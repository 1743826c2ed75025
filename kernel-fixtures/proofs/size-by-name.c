// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable that is a number in the place of one that is a size
 * Verdict: not proven
 * Says: a size or the place
 */
#include <linux/mm_types.h>

int use(const void *object, int size);
int changed(struct page *page);

int changed(struct page *page)
{
	int size = sizeof(struct page), number = 64;

	use(page, size);
	use(page, number);
	return use(page, size);
}
