// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_timer_gettime|sys_timer_gettime32
 * Options: POSIX_TIMERS
 * Bytes: times
 */
#include "bench.h"

static int timer;

static int setup(int size)
{
	return syscall(SYS_timer_create, 1, NULL, &timer);
}

OPERATION(syscall(SYS_timer_gettime, timer, object), .setup = setup, .fixed = 32);
