// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an entry is moved to a list that begins in another member
 * Verdict: different
 * Says: __list_add_valid
 */
#include <linux/list.h>
#include <linux/types.h>

struct item {
	int colour;
	struct list_head link;
	struct list_head other;
};

void changed(struct item *e, struct item *to)
{
	list_del(&e->link);
	list_add(&e->link, &to->link);
}
