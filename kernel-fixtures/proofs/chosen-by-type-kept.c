// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is chosen for the type that is compiled is written otherwise
 * Verdict: proven
 */
#include <linux/types.h>

long wide(const void *p);

long changed(int n, const void *p)
{
	return _Generic(n, int: n + 1, unsigned long: wide(p));
}
