// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the same of what is no resource
 * Verdict: proven
 */
#include <linux/ioport.h>

unsigned long some_flags(struct resource *r)
{
	unsigned long found = r->flags;

	return found & 0xff;
}
