// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a flag is left out that is nothing here
 * Verdict: not proven
 * Says: SLAB_KASAN may have another value
 */
#include <linux/slab.h>

struct kmem_cache *subject(void)
{
	return kmem_cache_create("subject", 8, 8, SLAB_KASAN | SLAB_PANIC, NULL);
}
