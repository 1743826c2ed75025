// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_getitimer
 * Options: POSIX_TIMERS
 * Bytes: times
 */
#include "bench.h"

OPERATION(syscall(SYS_getitimer, 0, object), .fixed = 32);
