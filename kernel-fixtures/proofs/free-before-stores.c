// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the source of the stores is freed before the stores
 * Verdict: not proven
 * Says: kfree\(\) now precedes
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
	if (put_user(list[0], &u->words[0]) ||
	    put_user(list[1], &u->words[1]))
		ret = -EFAULT;
	kfree(list);
	return ret;
}
