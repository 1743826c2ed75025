// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a cast for container_of() of a member that is the first one here
 * Verdict: not proven
 * Says: a size or the place of a member may be another number
 */
#include <linux/list.h>

struct entry {
	struct list_head list;
	int a;
};

int subject(struct list_head *p)
{
	return container_of(p, struct entry, list)->a;
}
