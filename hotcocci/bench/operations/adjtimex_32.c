// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: put_old_timex32
 * Machines: x86-64
 * Options: IA32_EMULATION COMPAT_32BIT_TIME
 * Bytes: times
 */
#include "bench.h"

OPERATION(call32(124, OBJECT32, 0, 0, 0, 0), .fixed = 128);
