// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: operation
 * Sizes: 1 8
 * Reaches: do_semtimedop
 * Options: SYSVIPC
 */
#include "bench.h"

static int set;

/* struct sembuf: number, operation and flags, all 0: waits for zero, which it is. */
static int setup(int size)
{
	(void)size;
	set = syscall(SYS_semget, 0, 8, 0600);
	return set;
}

static long once(int size)
{
	return syscall(SYS_semtimedop, set, object, size, NULL);
}

OPERATION(.setup = setup, .once = once, .each = 6);
