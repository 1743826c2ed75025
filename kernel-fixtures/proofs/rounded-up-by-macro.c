// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a division that rounds up by a constant of the architecture as a macro that has it twice
 * Verdict: proven
 */
#include <linux/math.h>
#include <linux/mm.h>

unsigned long subject(unsigned long size);
unsigned long subject(unsigned long size)
{
	return (size + PAGE_SIZE - 1) / PAGE_SIZE;
}
