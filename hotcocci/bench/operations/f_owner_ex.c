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
	(void)size;
	file = open("/dev/null", O_RDWR);
	return file;
}

static long once(int size)
{
	(void)size;
	return syscall(SYS_fcntl, file, 16, object);
}

OPERATION(.setup = setup, .once = once, .fixed = 8);
