// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: move_addr_to_user
 * Options: NET UNIX
 */
#include "bench.h"
#include <sys/socket.h>

static int ends[2];

static int setup(int size)
{
	*(int *)object = 24;
	return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
}

OPERATION(syscall(SYS_getsockname, ends[0], object + 8, object), .setup = setup, .fixed = 32);
