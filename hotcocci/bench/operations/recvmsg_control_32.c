// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: message
 * Sizes: 1
 * Reaches: put_cmsg_compat
 * Machines: x86-64
 * Options: NET UNIX IA32_EMULATION
 * Bytes: times
 */
#include "bench.h"
#include "msg32.h"
#include <sys/socket.h>

static int ends[2];

static int setup(int size)
{
	int on = 1;

	fill((struct msg32 *)object, 256);
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0)
		return -1;
	setsockopt(ends[1], SOL_SOCKET, SO_TIMESTAMP, &on, sizeof(on));
	return setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
}

static void before(int size)
{
	write(ends[0], "", 1);
}

static long once(int size)
{
	((struct msg32 *)object)->controllen = 256;
	return call32(372, ends[1], OBJECT32, MSG_DONTWAIT, 0, 0);
}

OPERATION(once(size), .setup = setup, .before = before);
