// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro asks for another option
 * Verdict: not proven
 * Says: the compiler knows its value
 */
#include <linux/kconfig.h>
#include <linux/types.h>

long narrow(const void *p);
long wide(const void *p);

#define chosen(p) (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) ? narrow(p) : wide(p))

long changed(const void *p)
{
	return chosen(p);
}
