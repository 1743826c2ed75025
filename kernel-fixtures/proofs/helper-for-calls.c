// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper of another file for two calls, and a size that saturates
 * Verdict: not proven
 * Says: may differ
 * Unproven: both are right, but what the helper does is not known here, and only one size warns
 */
#include <linux/slab.h>
#include <linux/string.h>

void dropped(void *p)
{
	memzero_explicit(p, ksize(p));
	kfree(p);
}

void *made(size_t n)
{
	return kzalloc(array_size(n, 16), GFP_KERNEL);
}
