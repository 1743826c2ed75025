// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_futex futex_wake
 * Options: FUTEX
 */
#include "bench.h"

OPERATION(syscall(SYS_futex, object, 1, 1, NULL, NULL, 0), .fixed = 4);
