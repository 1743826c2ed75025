// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sk_setsockopt
 * Options: NET UNIX
 */
#include "bench.h"
#include <sys/socket.h>

static int ends[2];

static int setup(int size)
{
	return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
}

OPERATION(syscall(SYS_setsockopt, ends[0], SOL_SOCKET, SO_RCVTIMEO, object, 16),
	  .setup = setup, .fixed = 16);
