// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro changes in the branch that is taken, and in one that a value decides
 * Verdict: proven
 */
#include <linux/kconfig.h>
#include <linux/types.h>

long narrow(const void *p);
long wide(const void *p);

#define chosen(p)						\
	(IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? narrow(p) :	\
	 (p) ? wide(p) + 1 : 0)

long changed(const void *p)
{
	return chosen(p);
}
