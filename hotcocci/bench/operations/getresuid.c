// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_getresuid
 * Options: MULTIUSER
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_getresuid, object, object + 4, object + 8);
}

OPERATION(.once = once, .fixed = 12);
