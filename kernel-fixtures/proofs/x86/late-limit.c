// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a limit only reached in the hundredth iteration
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
	for (u32 i = 0; i < k->a && wait(k); i++)
		k->total++;

	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
}
