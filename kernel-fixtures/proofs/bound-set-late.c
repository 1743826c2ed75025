// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an element set before the number of elements
 * Verdict: not proven
 * Says: n bounds it
 */
#include <linux/types.h>

struct list {
	int n;
	int items[] __counted_by(n);
};

void changed(struct list *list, int n);

void changed(struct list *list, int n)
{
	list->n = n;
	list->items[0] = 5;
}
