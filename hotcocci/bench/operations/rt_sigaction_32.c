// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: __ia32_compat_sys_rt_sigaction
 * Machines: x86-64
 * Options: IA32_EMULATION
 */
#include "bench.h"

OPERATION(call32(174, 10, 0, OBJECT32, 8, 0), .fixed = 20);
