// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the number of elements set before other members
 * Verdict: proven
 */
#include <linux/types.h>

struct list {
	int n;
	int used;
	int items[] __counted_by(n);
};

void changed(struct list *list, int n);

void changed(struct list *list, int n)
{
	list->used = 1;
	list->n = n;
	list->items[0] = 5;
}
