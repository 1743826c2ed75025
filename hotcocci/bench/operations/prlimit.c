// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_prlimit64
 */
#include "bench.h"

OPERATION(syscall(SYS_prlimit64, 0, 7, NULL, object), .fixed = 16);
