// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: getrusage
 * Bytes: times
 */
#include "bench.h"

OPERATION(syscall(SYS_getrusage, 0, object), .fixed = 144);
