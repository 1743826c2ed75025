// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: cp_new_stat vfs_statx
 * Machines: x86-64 powerpc-e500
 */
#include "bench.h"

OPERATION(syscall(SYS_stat, known, object), .fixed = 144);
