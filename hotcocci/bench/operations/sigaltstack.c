// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_sigaltstack
 */
#include "bench.h"

OPERATION(syscall(SYS_sigaltstack, NULL, object), .fixed = 24);
