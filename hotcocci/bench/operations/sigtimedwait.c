// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_sigtimedwait
 */
#include "bench.h"

OPERATION(syscall(SYS_rt_sigtimedwait, object, NULL, object + 8, 8), .fixed = 24);
