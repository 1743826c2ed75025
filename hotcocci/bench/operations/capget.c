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
	*(unsigned int *)object = 0x20080522;
	return 0;
}

OPERATION(syscall(SYS_capget, object, object + 8), .setup = setup, .fixed = 32);
