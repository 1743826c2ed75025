// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the result of a fault no longer stored
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
	int bad = put_user(k->a, &u->a);

	bad |= put_user(bad, &u->b);
	return bad ? -EFAULT : 0;
}
