// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_get_robust_list
 * Options: FUTEX
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_get_robust_list, 0, object, object + 8);
}

OPERATION(.once = once, .fixed = 16);
