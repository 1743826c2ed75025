// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: pipe_ioctl
 */
#include "bench.h"
#include <sys/ioctl.h>

static int ends[2];

static int setup(int size)
{
	(void)size;
	return pipe(ends);
}

static long once(int size)
{
	(void)size;
	return syscall(SYS_ioctl, ends[0], FIONREAD, object);
}

OPERATION(.setup = setup, .once = once, .fixed = 4);
