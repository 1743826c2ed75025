// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a file that checks lists itself goes on if one is corrupted
 * Verdict: different
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
	e->colour = to->colour;
	if (!__list_add_valid(&e->link, &to->link, to->link.next))
		return;
	to->colour = 0;
}
