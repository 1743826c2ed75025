// SPDX-License-Identifier: GPL-2.0
/*
 * Title: READ_ONCE() in the place of a volatile access
 * Verdict: proven
 */
#include <linux/compiler.h>

int subject(int *p)
{
	return *(volatile int *)p;
}
