// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_gettimeofday
 * Bytes: times
 */
#include "bench.h"

OPERATION(syscall(SYS_gettimeofday, object, object + 16), .fixed = 24);
