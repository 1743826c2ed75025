// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is read again may have been stored
 * Verdict: not proven
 * Says: may differ
 */
#include <linux/list.h>

struct item {
	struct list_head list;
	int value;
};
int subject(struct list_head *head, struct list_head **other, struct list_head *next);

int subject(struct list_head *head, struct list_head **other, struct list_head *next)
{
	if (list_empty(head))
		return -1;
	*other = next;
	return list_first_entry(head, struct item, list)->value;
}
