// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_prlimit64
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_prlimit64, 0, 7, NULL, object);
}

OPERATION(.once = once, .fixed = 16);
