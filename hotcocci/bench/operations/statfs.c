// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_statfs
 */
#include "bench.h"

OPERATION(syscall(SYS_statfs, "/proc", object), .fixed = 120);
