// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_fcntl
 */
#include "bench.h"

static int file;

static int setup(int size)
{
	file = open("/dev/null", O_RDWR);
	return file;
}

OPERATION(syscall(SYS_fcntl, file, 16, object), .setup = setup, .fixed = 8);
