// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the source of a copy is freed before the copy
 * Verdict: not proven
 * Says: kvfree\(\) now precedes
 */
#include <fixture/arguments.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

extern void collect(struct karg *k, u32 *list);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 *list;
	int ret = 0;

	list = kmalloc_array(8, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	collect(k, list);
	if (copy_to_user(u->words, list, 8 * sizeof(*list)))
		ret = -EFAULT;
	kvfree(list);
	return ret;
}
