// SPDX-License-Identifier: GPL-2.0
/*
 * Title: members of zeroed memory are set to zero again, after a work in it has been
 * Verdict: not proven
 * Says: may differ
 * Unproven: right, but a callee is not known to leave the rest of the object alone
 */
#include <linux/slab.h>
#include <linux/workqueue.h>

struct item {
	struct work_struct work;
	void *owner;
	int count;
};

void act(struct work_struct *work);

struct item *subject(void)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return NULL;
	INIT_WORK(&item->work, act);
	item->owner = NULL;
	item->count = 0;
	return item;
}
