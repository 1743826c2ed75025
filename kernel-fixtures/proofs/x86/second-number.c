// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the second of two numbers passed to a call
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
	u32 n[2] = { k->a, k->b };

	return put_user(draw(n, 2), &u->a);
}
