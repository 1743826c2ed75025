// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a reference is put through a member, which is the first one here, of no object
 * Verdict: not proven
 * Says: the place of a member may be another number
 */
#include <linux/kobject.h>

struct item {
	struct kobject kobj;
	int number;
};

void subject(struct item *item);

void subject(struct item *item)
{
	if (item)
		kobject_put(&item->kobj);
}
