// SPDX-License-Identifier: GPL-2.0
/*
 * Title: trace_printk() finds its format in a table of the module
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag)
		trace_printk("karg %u of %llu\n", k->a, k->q0);
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
