// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is read again may have changed during a call
 * Verdict: not proven
 * Says: may differ
 */
#include <linux/list.h>

struct item {
	struct list_head list;
	int value;
};
void wait(void);
int subject(struct list_head *head);

int subject(struct list_head *head)
{
	struct item *item;

	if (list_empty(head))
		return -1;
	wait();
	item = list_first_entry(head, struct item, list);
	return item->value;
}
