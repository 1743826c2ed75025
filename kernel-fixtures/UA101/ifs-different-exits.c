// SPDX-License-Identifier: GPL-2.0
/*
 * Title: each access leaves through its own clean-up
 * Row: separate ifs, different clean-up labels
 * Shape: D
 * Twin: ifs-goto-out
 */
#include <fixture/arguments.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = -EFAULT;
	u32 a, b, c;
	void *page;

	page = kmalloc(64, GFP_KERNEL);
	if (!page)
		return -ENOMEM;
	mutex_lock(&k->lock);

	if (get_user(a, &u->a))	/* want: UA101 report different-exits 3 u read */
		goto unlock;
	if (get_user(b, &u->b))
		goto count;
	if (get_user(c, &u->c))
		goto count;

	k->total = a + b + c;
	ret = 0;
	goto unlock;
count:
	k->index++;
unlock:
	mutex_unlock(&k->lock);
	kfree(page);
	return ret;
}
