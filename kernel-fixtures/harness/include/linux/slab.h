/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_SLAB_H
#define _LINUX_SLAB_H

#include <linux/cleanup.h>
#include <linux/types.h>

#define GFP_KERNEL	0u

void *kmalloc(size_t size, unsigned int flags);
void kfree(const void *p);

DEFINE_FREE(kfree, void *, if (_T) kfree(_T))

#endif
