// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number in the place of a constant in small letters that depends on huge pages
 * Verdict: not proven
 * Says: pageblock_order may have another value
 */
#include <fixture/arguments.h>
#include <linux/mmzone.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return k->a >> pageblock_order;
}
