// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a division that rounds up has a number in one place of a constant, which a macro has twice
 * Verdict: not proven
 * Says: PAGE_SIZE may have another value
 */
#include <linux/math.h>
#include <linux/mm.h>

unsigned long subject(unsigned long size);
unsigned long subject(unsigned long size)
{
	return (size + 4095) / PAGE_SIZE;
}
