// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a statement beside an unmapping is written otherwise
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/highmem.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void *mapped = kmap_local_page((struct page *)k);

	k->a = *(u32 *)mapped;
	kunmap_local(mapped);
	return k->a != 0;
}
