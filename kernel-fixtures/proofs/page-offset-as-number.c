// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number in the place of a macro that uses the size of a page
 * Verdict: not proven
 * Says: offset_in_page\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/mm.h>

int changed(unsigned long p)
{
	return offset_in_page(p);
}
