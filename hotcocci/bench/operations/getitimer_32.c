// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: __ia32_compat_sys_getitimer
 * Machines: x86-64
 * Options: POSIX_TIMERS IA32_EMULATION COMPAT_32BIT_TIME
 * Bytes: times
 */
#include "bench.h"

OPERATION(call32(105, 0, OBJECT32, 0, 0, 0), .fixed = 16);
