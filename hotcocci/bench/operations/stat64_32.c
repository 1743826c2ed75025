// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: cp_stat64
 * Machines: x86-64
 * Options: IA32_EMULATION
 */
#include "bench.h"

OPERATION(call32(195, (long)known, OBJECT32, 0, 0, 0), .fixed = 96);
