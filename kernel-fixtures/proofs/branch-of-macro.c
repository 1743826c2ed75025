// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro changes in a branch that this configuration does not take
 * Verdict: not proven
 * Says: unreachable in this configuration
 */
#include <linux/kconfig.h>
#include <linux/types.h>

long narrow(const void *p);
long wide(const void *p);
long other(const void *p);

#define chosen(p)						\
	(IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? narrow(p) :	\
	 wide(p))

long changed(const void *p)
{
	return chosen(p);
}
