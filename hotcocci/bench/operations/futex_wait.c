// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: futex_wait_setup
 * Options: FUTEX
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_futex, object, 0, 1, NULL, NULL, 0);
}

OPERATION(.once = once, .fixed = 4);
