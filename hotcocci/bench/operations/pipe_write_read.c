// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: byte
 * Sizes: 1 64 1024
 * Reaches: pipe_read|anon_pipe_read pipe_write|anon_pipe_write
 */
#include "bench.h"

static int ends[2];

static int setup(int size)
{
	return pipe(ends);
}

static long once(int size)
{
	long written = syscall(SYS_write, ends[1], object, size);

	return written < 0 ? written : syscall(SYS_read, ends[0], object, size);
}

OPERATION(once(size), .setup = setup, .each = 1);
