// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: get_timespec64
 * Options: POSIX_TIMERS
 */
#include "bench.h"

static int setup(int size)
{
	(void)size;
	/* Not a time: refused after it is read. */
	((int64_t *)object)[1] = -1;
	return 0;
}

static long once(int size)
{
	(void)size;
	return syscall(SYS_nanosleep, object, NULL);
}

OPERATION(.setup = setup, .once = once, .fixed = 16);
