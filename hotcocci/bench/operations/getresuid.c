// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_getresuid
 * Options: MULTIUSER
 */
#include "bench.h"

OPERATION(syscall(SYS_getresuid, object, object + 4, object + 8), .fixed = 12);
