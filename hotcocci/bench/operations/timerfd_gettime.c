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
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	return timer;
}

OPERATION(syscall(SYS_timerfd_gettime, timer, object), .setup = setup, .fixed = 32);
