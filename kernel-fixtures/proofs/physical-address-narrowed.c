// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the address of a page is computed in a long, which is as wide as it here
 * Verdict: not proven
 * Says: wider than long
 */
#include <fixture/arguments.h>
#include <linux/pfn.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->q0 = PFN_PHYS(k->l0);
	return 0;
}
