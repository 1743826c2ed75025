// SPDX-License-Identifier: GPL-2.0
/*
 * Title: entries are moved to another list, and to the end of one
 * Verdict: proven
 */
#include <linux/list.h>
#include <linux/types.h>

struct item {
	int colour;
	struct list_head link;
	struct list_head other;
};

void first(struct item *e, struct item *to)
{
	list_del(&e->link);
	list_add(&e->link, &to->link);
	to->colour += e->colour;
}

void some(struct list_head *from, struct list_head *to, int colour)
{
	struct item *e, *n;

	list_for_each_entry_safe(e, n, from, link) {
		if (e->colour == colour) {
			list_del(&e->link);
			list_add_tail(&e->link, to);
		}
	}
}
