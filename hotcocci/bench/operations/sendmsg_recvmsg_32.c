// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: message
 * Sizes: 1
 * Reaches: get_compat_msghdr
 * Machines: x86-64
 * Options: NET UNIX IA32_EMULATION
 */
#include "bench.h"
#include "msg32.h"
#include <sys/socket.h>

static int ends[2];

static int setup(int size)
{
	fill((struct msg32 *)object, 0);
	return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
}

static long once(int size)
{
	long sent = call32(370, ends[0], OBJECT32, 0, 0, 0);

	return sent < 0 ? sent : call32(372, ends[1], OBJECT32, MSG_DONTWAIT, 0, 0);
}

OPERATION(once(size), .setup = setup, .fixed = sizeof(struct msg32));
