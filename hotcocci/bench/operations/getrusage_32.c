// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: put_compat_rusage
 * Machines: x86-64
 * Options: IA32_EMULATION
 * Bytes: times
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return call32(77, 0, OBJECT32, 0, 0, 0);
}

OPERATION(.once = once, .fixed = 72);
