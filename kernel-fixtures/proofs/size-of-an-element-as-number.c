// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number takes the place of the size of an element
 * Verdict: not proven
 * Says: a size
 */
#include <linux/list.h>
#include <linux/slab.h>

struct node_lists {
	struct list_head lists[MAX_NUMNODES];
};

struct item {
	u64 from;
	u32 length;
};

struct group {
	unsigned int count;
	struct item *lists;
};

int subject(struct group *g)
{
	g->lists = kcalloc(g->count, sizeof(*g->lists), GFP_KERNEL);
	if (!g->lists)
		return -ENOMEM;

	return 0;
}
