// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: futex_wait_setup
 * Options: FUTEX
 */
#include "bench.h"

OPERATION(syscall(SYS_futex, object, 0, 1, NULL, NULL, 0), .fixed = 4);
