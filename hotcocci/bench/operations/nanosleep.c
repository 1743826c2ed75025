// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: get_timespec64|get_old_timespec32
 * Options: POSIX_TIMERS
 */
#include "bench.h"
#include <time.h>

static int setup(int size)
{
	/* Not a time: refused after it is read. */
	((struct timespec *)object)->tv_nsec = -1;
	return 0;
}

OPERATION(syscall(SYS_nanosleep, object, NULL), .setup = setup, .fixed = sizeof(struct timespec));
