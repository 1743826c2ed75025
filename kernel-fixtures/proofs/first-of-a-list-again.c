// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the new code reads it again
 * Verdict: not proven
 * Says: may differ
 */
#include <linux/list.h>

struct item {
	struct list_head list;
	int value;
};
int subject(struct list_head *head);

int subject(struct list_head *head)
{
	struct item *item;

	item = list_first_entry_or_null(head, struct item, list);
	return item ? item->value : -1;
}
