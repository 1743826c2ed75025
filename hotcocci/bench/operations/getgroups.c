// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: group
 * Sizes: 8 64
 * Reaches: sys_getgroups
 * Options: MULTIUSER
 */
#include "bench.h"
#include <grp.h>

static int setup(int size)
{
	return syscall(SYS_setgroups, size, object);
}

OPERATION(syscall(SYS_getgroups, size, object), .setup = setup, .each = 4);
