// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_newuname
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_uname, object);
}

OPERATION(.once = once, .fixed = 390);
