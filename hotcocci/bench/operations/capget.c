// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_capget
 * Options: MULTIUSER
 */
#include "bench.h"

static int setup(int size)
{
	(void)size;
	*(unsigned int *)object = 0x20080522;
	return 0;
}

static long once(int size)
{
	(void)size;
	return syscall(SYS_capget, object, object + 8);
}

OPERATION(.setup = setup, .once = once, .fixed = 32);
