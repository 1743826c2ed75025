// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_sysinfo
 * Bytes: times
 */
#include "bench.h"

OPERATION(syscall(SYS_sysinfo, object), .fixed = 112);
