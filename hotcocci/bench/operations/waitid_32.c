// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: child
 * Sizes: 1
 * Reaches: __ia32_compat_sys_waitid kernel_waitid
 * Machines: x86-64
 * Options: IA32_EMULATION
 */
#include "bench.h"
#include <sys/wait.h>

static int setup(int size)
{
	if (fork() == 0)
		_exit(0);
	return 0;
}

/* The child stays, so that each call has one. */
OPERATION(call32(284, 0, 0, OBJECT32, WEXITED | WNOWAIT, 0), .setup = setup, .fixed = 128);
