// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_compat_sigaltstack
 * Machines: x86-64
 * Options: IA32_EMULATION
 */
#include "bench.h"

OPERATION(call32(186, 0, OBJECT32, 0, 0, 0), .fixed = 12);
