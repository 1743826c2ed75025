// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a test of a constant that is PAGE_SIZE, the other way round
 * Verdict: proven
 */
#include <linux/mm.h>

static const unsigned long limit = PAGE_SIZE;

bool changed(unsigned long n);

bool changed(unsigned long n)
{
	return n > limit;
}
