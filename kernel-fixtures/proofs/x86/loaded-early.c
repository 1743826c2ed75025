// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a value loaded before the first store, whose address callers check
 * Verdict: proven
 * Assumes: callers have checked the user pointers that this function does not check
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
	if (__put_user(k->a, &u->a) || __put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
}
