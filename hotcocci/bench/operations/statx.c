// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: cp_statx
 */
#include "bench.h"

OPERATION(syscall(SYS_statx, AT_FDCWD, known, 0, 0x7ff, object), .fixed = 256);
