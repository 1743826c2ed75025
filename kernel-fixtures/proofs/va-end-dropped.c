// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an end of variable arguments is dropped, which has no code
 * Verdict: not proven
 * Says: va_end\(\) does nothing in this configuration
 */
#include <linux/kernel.h>
#include <linux/stdarg.h>

int subject(char *to, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(to, 10, format, args);
	va_end(args);
	return n;
}
