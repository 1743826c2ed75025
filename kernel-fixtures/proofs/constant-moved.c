// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size of a page in the place of a number, and the other way round
 * Verdict: not proven
 * Says: another value
 */
#include <fixture/arguments.h>
#include <linux/mm.h>

int two(unsigned long, unsigned long);
int changed(struct karg *k, struct uarg __user *u)
{
	return two(PAGE_SIZE, 4096);
}
