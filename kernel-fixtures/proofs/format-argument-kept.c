// SPDX-License-Identifier: GPL-2.0
/*
 * Title: printk() with the same arguments
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;

	pr_info("karg %u: %u of %llu\n", k->a, k->b, k->q0);
	return 0;
}
