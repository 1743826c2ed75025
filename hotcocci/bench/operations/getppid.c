// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_getppid
 */
#include "bench.h"

OPERATION(syscall(SYS_getppid));
