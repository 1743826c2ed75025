// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the assertion that a macro of the file makes says less
 * Verdict: not proven
 * Says: what it asserts may not hold
 */
#include <linux/build_bug.h>
#include <linux/mm.h>

#define CHECK_PAGE()	BUILD_BUG_ON(PAGE_SIZE < 4096)

unsigned long subject(unsigned long address);

unsigned long subject(unsigned long address)
{
	CHECK_PAGE();
	return address & PAGE_MASK;
}
