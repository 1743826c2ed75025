// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memory of a function that may return an error pointer is freed by an attribute
 * Verdict: different
 * Says: call kfree
 */
#include <fixture/arguments.h>
#include <linux/cleanup.h>
#include <linux/slab.h>

extern int fill(u32 *list);
extern u32 *list_of(struct karg *k);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 *list = list_of(k);
	int err;

	if (!list)
		return -ENOMEM;
	err = fill(list);
	kfree(list);
	return err;
}
