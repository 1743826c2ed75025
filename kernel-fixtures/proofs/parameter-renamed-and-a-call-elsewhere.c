// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a parameter has another name and no use, which matters for a call that is not compiled here
 * Verdict: different
 */
#include <linux/kconfig.h>
#include <linux/types.h>

void report(const char *what);

int subject(int value, int mode);
static noinline int handle(int value, int mode)
{
	report("begin");
	if (mode)
		report("mode");
	return value;
}

int subject(int value, int mode)
{
	if (mode)
		return 1;
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		return handle(value, 1);
	return handle(value, mode);
}
