// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: put_compat_rusage
 * Machines: x86-64
 * Options: IA32_EMULATION
 * Bytes: times
 */
#include "bench.h"

OPERATION(call32(77, 0, OBJECT32, 0, 0, 0), .fixed = 72);
