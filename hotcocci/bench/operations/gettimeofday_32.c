// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: __ia32_compat_sys_gettimeofday
 * Machines: x86-64
 * Options: IA32_EMULATION COMPAT_32BIT_TIME
 * Bytes: times
 */
#include "bench.h"

OPERATION(call32(78, OBJECT32, OBJECT32 + 8, 0, 0, 0), .fixed = 16);
