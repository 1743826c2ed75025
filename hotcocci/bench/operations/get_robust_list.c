// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_get_robust_list
 * Options: FUTEX
 */
#include "bench.h"

OPERATION(syscall(SYS_get_robust_list, 0, object, object + 8), .fixed = 16);
