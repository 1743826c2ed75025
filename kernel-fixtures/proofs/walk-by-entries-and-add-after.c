// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an entry is added after another one, not before it
 * Verdict: different
 * Says: list_add
 */
#include <linux/list.h>

struct entry {
	struct list_head list;
	struct list_head items;
	unsigned long priority;
};

struct table {
	void *own;
	struct list_head entries;
};

void changed(struct table *table, struct entry *entry, unsigned long priority)
{
	struct list_head *at;
	struct entry *other;

	INIT_LIST_HEAD(&entry->items);
	entry->priority = priority;
	list_for_each(at, &table->entries) {
		other = list_entry(at, typeof(*other), list);
		if (other->priority > entry->priority)
			break;
	}
	list_add_tail(&entry->list, at);
}
