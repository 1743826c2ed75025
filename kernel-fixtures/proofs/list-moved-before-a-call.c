// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the poison of list_del() is gone before a call that looks at the entry
 * Verdict: not proven
 * Says: may differ
 */
#include <linux/list.h>
#include <linux/types.h>

struct item {
	int colour;
	struct list_head link;
	struct list_head other;
};

void look(struct item *e);

void changed(struct item *e, struct item *to)
{
	list_del(&e->link);
	look(e);
	list_add(&e->link, &to->link);
}
