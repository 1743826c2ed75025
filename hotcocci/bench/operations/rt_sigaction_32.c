// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: __ia32_compat_sys_rt_sigaction
 * Machines: x86-64
 * Options: IA32_EMULATION
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return call32(174, 10, 0, OBJECT32, 8, 0);
}

OPERATION(.once = once, .fixed = 20);
