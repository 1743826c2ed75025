// SPDX-License-Identifier: GPL-2.0
/*
 * Title: kfree() does nothing for NULL
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

struct held {
	void *one;
	void *two;
};

int drop(struct held *h, struct uarg __user *u);

int drop(struct held *h, struct uarg __user *u)
{
	if (put_user(1, &u->a))
		return -EFAULT;
	if (h->one)
		kfree(h->one);
	kfree(h->two);
	return 0;
}
