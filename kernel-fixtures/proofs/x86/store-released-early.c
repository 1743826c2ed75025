// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store that must not be visible to other CPUs before another
 * Verdict: refused
 */
#include <fixture/arguments.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

extern int wait(struct karg *k);
extern u32 draw(u32 *number, u32 count);

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = 1;
	smp_store_release(&k->total, 1);

	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
}
