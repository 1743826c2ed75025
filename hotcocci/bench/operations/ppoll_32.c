// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: __ia32_compat_sys_ppoll_time32
 * Machines: x86-64
 * Options: IA32_EMULATION COMPAT_32BIT_TIME
 * Bytes: times
 */
#include "bench.h"

OPERATION(call32(309, OBJECT32, 0, OBJECT32, 0, 8), .fixed = 8);
