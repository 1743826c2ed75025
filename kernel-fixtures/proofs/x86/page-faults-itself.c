// SPDX-License-Identifier: GPL-2.0
/*
 * Title: page faults enabled where they were disabled, on other lines
 * Verdict: proven
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
	int ret;

	pagefault_disable();
	ret = put_user(1, &u->a);
	pagefault_enable();
	return ret;
}
