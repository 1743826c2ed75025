// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_sendfile
 * Machines: x86-64
 * Options: SHMEM TMPFS IA32_EMULATION
 */
#include "bench.h"

static int from, to;

static int setup(int size)
{
	from = open("sent", O_RDWR | O_CREAT, 0600);
	to = open("/dev/null", O_WRONLY);
	return from < 0 || to < 0 || write(from, "sixteen bytes...", 16) < 0 ? -1 : 0;
}

/* The position is read from the object, and written back. */
OPERATION(call32(239, to, from, OBJECT32, 16, 0), .setup = setup, .fixed = sizeof(off_t));
