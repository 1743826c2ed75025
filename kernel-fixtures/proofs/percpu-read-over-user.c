// SPDX-License-Identifier: GPL-2.0
/*
 * Title: this_cpu_read() moves before a user access
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/percpu.h>
#include <linux/uaccess.h>

DECLARE_PER_CPU(u32, kick);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b;
	if (put_user(a, &u->a))
		return -EFAULT;
	b = this_cpu_read(kick);
	if (put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
