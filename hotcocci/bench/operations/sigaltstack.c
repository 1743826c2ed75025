// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_sigaltstack
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_sigaltstack, NULL, object);
}

OPERATION(.once = once, .fixed = 24);
