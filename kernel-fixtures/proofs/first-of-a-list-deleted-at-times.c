// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first entry of a list is only deleted if it has a number
 * Verdict: not proven
 * Says: may differ
 */
#include <linux/list.h>

struct work {
	struct list_head entry;
	int id;
};

struct work *subject(struct list_head *head)
{
	struct work *w;

	if (list_empty(head))
		return NULL;

	w = list_first_entry(head, struct work, entry);
	list_del(&w->entry);
	return w;
}
