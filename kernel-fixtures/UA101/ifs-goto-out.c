// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the exit is a label that cleans up, its value set before
 * Row: separate ifs, the same exit
 * Shape: D
 */
#include <fixture/arguments.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = -EFAULT;
	void *page;
	u32 a, b, c;

	page = kmalloc(64, GFP_KERNEL);
	if (!page)
		return -ENOMEM;

	if (get_user(a, &u->a))	/* want classic: UA101 rewrite safe 3 u read */ /* want scoped: UA101 rewrite safe 3 u read */
		goto out;
	if (get_user(b, &u->b))
		goto out;
	if (get_user(c, &u->c))
		goto out;

	k->total = a + b + c;
	ret = 0;
out:
	kfree(page);
	return ret;
}
