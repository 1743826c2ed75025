// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memory is freed by an attribute, which also tests for an error pointer
 * Verdict: proven
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
	kfree(list);
	return err;
}
