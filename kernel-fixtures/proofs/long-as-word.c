// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the low half of a long is read as a word, which is the high half on s390
 * Verdict: not proven
 * Says: which part of a word
 */
#include <linux/types.h>

u32 subject(unsigned long *p)
{
	return (u32)*p;
}
