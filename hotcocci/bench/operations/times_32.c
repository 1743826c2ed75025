// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: __ia32_compat_sys_times
 * Machines: x86-64
 * Options: IA32_EMULATION
 * Bytes: times
 */
#include "bench.h"

OPERATION(call32(43, OBJECT32, 0, 0, 0, 0), .fixed = 16);
