// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first entry of a list, or NULL, is deleted if it is none; the old code deletes no NULL
 * Verdict: proven
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
