// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: eventfd_read eventfd_write
 * Options: EVENTFD
 */
#include "bench.h"
#include <sys/eventfd.h>

static int file;

static long made(void)
{
	static const uint64_t one = 1;

	syscall(SYS_write, file, &one, 8);
	return syscall(SYS_read, file, object, 8);
}

static int setup(int size)
{
	file = eventfd(0, EFD_NONBLOCK);
	return file;
}

OPERATION(made(), .setup = setup, .fixed = 8);
