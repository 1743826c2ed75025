// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the half of a long is copied, which is the upper half on s390
 * Verdict: not proven
 * Says: which part of a word
 */
#include <linux/string.h>
#include <linux/types.h>

u32 subject(unsigned long *p)
{
	u32 half = *p;

	return half;
}
