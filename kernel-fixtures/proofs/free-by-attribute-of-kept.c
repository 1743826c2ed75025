// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memory that is kept is freed by an attribute, as no_free_ptr() is missing
 * Verdict: different
 * Says: kfree
 */
#include <fixture/arguments.h>
#include <linux/cleanup.h>
#include <linux/slab.h>

extern int fill(u32 *list);
extern u32 *list_of(struct karg *k);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 *list = kmalloc_array(8, sizeof(*list), GFP_KERNEL);
	int err;

	if (!list)
		return -ENOMEM;
	err = fill(list);
	if (err) {
		kfree(list);
		return err;
	}
	k->arg = (unsigned long)list;
	return 0;
}
