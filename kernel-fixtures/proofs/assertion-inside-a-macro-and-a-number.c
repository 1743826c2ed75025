// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what such a macro does is written with the number that it has here
 * Verdict: not proven
 * Says: or be another value
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
