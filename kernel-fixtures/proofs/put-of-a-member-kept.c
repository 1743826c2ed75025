// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a reference is put through a member of an object that there is
 * Verdict: proven
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
