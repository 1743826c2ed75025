// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_faccessat
 */
#include "bench.h"

OPERATION(syscall(SYS_access, "/tmp", R_OK));
