// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an operation on a per-CPU variable may be interrupted, which x86 does not allow
 * Verdict: not proven
 * Says: interrupted
 */
#include <fixture/arguments.h>
#include <linux/percpu.h>

DECLARE_PER_CPU(int, seen);

int subject(struct karg *k, struct uarg __user *u)
{
	this_cpu_inc(seen);
	return 0;
}
