// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_getcpu
 */
#include "bench.h"

OPERATION(syscall(SYS_getcpu, object, object + 4, NULL), .fixed = 8);
