// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: __ia32_sys_getresuid16
 * Machines: x86-64
 * Options: MULTIUSER IA32_EMULATION
 */
#include "bench.h"

OPERATION(call32(165, OBJECT32, OBJECT32 + 2, OBJECT32 + 4, 0, 0), .fixed = 6);
