// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: __ia32_compat_sys_old_getrlimit
 * Machines: x86-64
 * Options: IA32_EMULATION
 */
#include "bench.h"

OPERATION(call32(76, 7, OBJECT32, 0, 0, 0), .fixed = 8);
