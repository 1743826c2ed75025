// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a variable of another file is declared with another type
 * Verdict: not proven
 * Says: which part of a word
 */
#include <linux/types.h>

extern unsigned long elsewhere;

u32 subject(u32 *p)
{
	return elsewhere + *p;
}
