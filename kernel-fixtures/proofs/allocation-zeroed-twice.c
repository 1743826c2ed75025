// SPDX-License-Identifier: GPL-2.0
/*
 * Title: members of zeroed memory are set to zero again
 * Verdict: proven
 */
#include <linux/slab.h>

struct item {
	int kind;
	void *owner;
	int count;
};

struct item *subject(void)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return NULL;
	item->owner = NULL;
	item->count = 0;
	return item;
}
