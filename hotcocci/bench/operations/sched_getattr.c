// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_sched_getattr
 */
#include "bench.h"

OPERATION(syscall(SYS_sched_getattr, 0, object, 56, 0), .fixed = 56);
