// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_times
 * Bytes: times
 */
#include "bench.h"

OPERATION(syscall(SYS_times, object), .fixed = 32);
