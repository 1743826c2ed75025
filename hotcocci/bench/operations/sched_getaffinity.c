// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_sched_getaffinity
 */
#include "bench.h"

OPERATION(syscall(SYS_sched_getaffinity, 0, 8, object), .fixed = 8);
