// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: cp_new_stat vfs_statx
 * Machines: x86-64 powerpc-e500
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_stat, known, object);
}

OPERATION(.once = once, .fixed = 144);
