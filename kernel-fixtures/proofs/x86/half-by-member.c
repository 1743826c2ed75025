// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the half of a long is read as another member of a union, which is the upper half on s390
 * Verdict: not proven
 * Says: which part of a word
 */
#include <linux/types.h>

union word {
	unsigned long all;
	u32 half;
	void *place;
};

u32 subject(union word *p)
{
	return p->all;
}
