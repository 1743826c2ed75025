// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bits of a map are numbered in the processor's order, which is the same on x86
 * Verdict: not proven
 * Says: byte order
 */
#include <fixture/arguments.h>
#include <linux/bitops.h>

int subject(struct karg *k, struct uarg __user *u)
{
	__set_bit_le(k->a & 31, &k->l0);
	return 0;
}
