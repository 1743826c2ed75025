// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an instruction the emulator cannot run
 * Verdict: not proven
 * Says: vmcall
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	asm volatile("vmcall" : : : "memory");
	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
}
