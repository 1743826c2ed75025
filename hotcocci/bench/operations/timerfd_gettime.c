// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_timerfd_gettime
 * Options: TIMERFD
 * Bytes: times
 */
#include "bench.h"
#include <sys/timerfd.h>

static int timer;

static int setup(int size)
{
	(void)size;
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	return timer;
}

static long once(int size)
{
	(void)size;
	return syscall(SYS_timerfd_gettime, timer, object);
}

OPERATION(.setup = setup, .once = once, .fixed = 32);
