// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: getrusage
 * Bytes: times
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_getrusage, 0, object);
}

OPERATION(.once = once, .fixed = 144);
