// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_sigtimedwait
 */
#include "bench.h"

static long once(int size)
{
	(void)size;
	return syscall(SYS_rt_sigtimedwait, object, NULL, object + 8, 8);
}

OPERATION(.once = once, .fixed = 24);
