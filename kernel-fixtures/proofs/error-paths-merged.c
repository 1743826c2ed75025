// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two error paths with one end
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/list.h>
#include <linux/slab.h>

int changed(void *a, struct karg *k, struct list_head *e)
{
	if (k->a) {
		list_del(e);
		kfree(a);
		return -EINVAL;
	}
	if (k->b) {
		list_del(e);
		kfree(a);
		return -ENOMEM;
	}
	return 0;
}
