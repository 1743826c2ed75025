// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a check that only debugging kernels make
 * Verdict: not proven
 * Says: VM_BUG_ON\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/mm.h>

int changed(struct karg *k, struct uarg __user *u)
{
	BUG_ON(k->a > 3);
	return k->b;
}
