// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memory is read after it is freed
 * Verdict: not proven
 * Says: the data of user store
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
	ret = list[0];
	kfree(list);
	if (put_user(ret, &u->s0))
		return -EFAULT;
	return ret;
}
