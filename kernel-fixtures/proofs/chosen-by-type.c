// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is chosen for a type, or a width, that is not compiled
 * Verdict: not proven
 * Says: unreachable in this configuration
 */
#include <linux/types.h>

long narrow(const void *p);
long wide(const void *p);
long other(const void *p);

long changed(size_t n, const void *p)
{
	return _Generic(n, unsigned int: narrow(p), unsigned long: wide(p)) +
		__builtin_choose_expr(sizeof(n) == 8, wide(p), narrow(p));
}
