// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an assignment of a structure in the place of memcpy()
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/string.h>

int changed(struct point *p, struct point *q)
{
	memcpy(p, q, sizeof(*p));
	return 0;
}
