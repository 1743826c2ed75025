// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a comparison with the size of a page is turned round
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/mm.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return k->a > PAGE_SIZE ? -E2BIG : 0;
}
