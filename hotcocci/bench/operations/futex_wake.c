// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_futex futex_wake
 * Options: FUTEX
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_futex, object, 1, 1, NULL, NULL, 0);
}

OPERATION(.once = once, .fixed = 4);
