// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number in the place of the size of a page
 * Verdict: not proven
 * Says: PAGE_SIZE may have another value
 */
#include <fixture/arguments.h>
#include <linux/mm.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return k->a > PAGE_SIZE ? -E2BIG : 0;
}
