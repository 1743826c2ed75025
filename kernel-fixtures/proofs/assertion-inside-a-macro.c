// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro that insists on a constant gets one of the architecture
 * Verdict: proven
 */
#include <linux/bitfield.h>
#include <linux/mm.h>

unsigned long subject(unsigned long address);

unsigned long subject(unsigned long address)
{
	unsigned long page;

	page = FIELD_GET(PAGE_MASK, address);
	return page;
}
