// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_gettimeofday
 * Bytes: times
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_gettimeofday, object, object + 16);
}

OPERATION(.once = once, .fixed = 24);
