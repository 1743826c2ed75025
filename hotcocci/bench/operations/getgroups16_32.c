// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: group
 * Sizes: 8 64
 * Reaches: __ia32_sys_getgroups16
 * Machines: x86-64
 * Options: MULTIUSER IA32_EMULATION
 */
#include "bench.h"
#include <grp.h>

static int setup(int size)
{
	static unsigned int groups[64];

	return syscall(SYS_setgroups, size, groups);
}

OPERATION(call32(80, size, OBJECT32, 0, 0, 0), .setup = setup, .each = 2);
