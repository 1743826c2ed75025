// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: put_timespec64|put_old_timespec32
 * Options: POSIX_TIMERS
 * Bytes: times
 */
#include "bench.h"

OPERATION(syscall(SYS_clock_gettime, 1, object), .fixed = 16);
