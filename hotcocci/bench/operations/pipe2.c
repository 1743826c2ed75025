// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_pipe2
 */
#include "bench.h"

static long made(void)
{
	int *ends = (int *)object;
	long result = syscall(SYS_pipe2, ends, 0);

	if (result == 0) {
		close(ends[0]);
		close(ends[1]);
	}
	return result;
}

OPERATION(made(), .fixed = 8);
