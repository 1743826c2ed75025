// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: core_sys_select
 * Machines: x86-64 powerpc-e500
 * Bytes: times
 */
#include "bench.h"
#include <sys/select.h>

static long once(int size)
{
	(void)size;
	/* The timeout is after three sets of 64 bits. */
	return syscall(SYS_select, 0, object, object + 8, object + 16, object + 24);
}

OPERATION(.once = once, .fixed = 40);
