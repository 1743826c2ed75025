// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memcpy() in the place of what also flushes the instruction cache
 * Verdict: not proven
 * Says: copy_to_user_page\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/mm.h>
#include <linux/highmem.h>

void changed(struct vm_area_struct *vma, struct page *page, unsigned long a, void *d, void *s, int n)
{
	copy_to_user_page(vma, page, a, d, s, n);
}
