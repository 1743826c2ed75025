// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member is read again after READ_ONCE(), and no longer
 * Verdict: proven
 * Assumes: what the old code reads again is what READ_ONCE() returned just before
 */
#include <linux/list.h>

struct item {
	struct list_head list;
	int value;
};
int subject(struct list_head *head, struct list_head *other);

int subject(struct list_head *head, struct list_head *other)
{
	struct item *item = NULL;

	if (head) {
		if (!list_empty(head))
			item = list_first_entry(head, struct item, list);
	} else {
		if (!list_empty(other))
			item = list_first_entry(other, struct item, list);
	}
	return item ? item->value : -1;
}
