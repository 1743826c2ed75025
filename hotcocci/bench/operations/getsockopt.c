// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sk_getsockopt
 * Options: NET UNIX
 */
#include "bench.h"
#include <sys/socket.h>

static int ends[2];

static int setup(int size)
{
	*(int *)object = 12;
	return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
}

OPERATION(syscall(SYS_getsockopt, ends[0], SOL_SOCKET, SO_PEERCRED, object + 8, object),
	  .setup = setup, .fixed = 20);
