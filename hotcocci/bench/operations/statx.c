// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: cp_statx
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_statx, AT_FDCWD, known, 0, 0x7ff, object);
}

OPERATION(.once = once, .fixed = 256);
