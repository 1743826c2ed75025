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
	return pipe(ends);
}

OPERATION(syscall(SYS_ioctl, ends[0], FIONREAD, object), .setup = setup, .fixed = 4);
