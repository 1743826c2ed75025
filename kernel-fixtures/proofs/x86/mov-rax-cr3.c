// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an instruction without a model: mov-rax-cr3
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
	asm volatile("mov %%rax, %%cr3" : : "m" (k->h0) : "memory");

	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
}
