// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_getcpu
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_getcpu, object, object + 4, NULL);
}

OPERATION(.once = once, .fixed = 8);
