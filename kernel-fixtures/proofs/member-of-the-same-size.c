// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer is read as the long that it shares a union with
 * Verdict: proven
 */
#include <linux/types.h>

union word {
	unsigned long all;
	u32 half;
	void *place;
};

unsigned long subject(union word *p)
{
	return (unsigned long)p->place;
}
