// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_sched_getaffinity
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_sched_getaffinity, 0, 8, object);
}

OPERATION(.once = once, .fixed = 8);
