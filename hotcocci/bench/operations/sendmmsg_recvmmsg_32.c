// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: message
 * Sizes: 1 8
 * Reaches: __sys_sendmmsg do_recvmmsg get_compat_msghdr
 * Machines: x86-64
 * Options: NET UNIX IA32_EMULATION
 */
#include "bench.h"
#include "msg32.h"
#include <sys/socket.h>

struct mmsg32 {
	struct msg32 header;
	uint32_t len;
};

static int ends[2];

static int setup(int size)
{
	struct mmsg32 *messages = (void *)object;

	for (int n = 0; n < size; n++)
		fill(&messages[n].header, 0);
	return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
}

static long once(int size)
{
	long sent = call32(345, ends[0], OBJECT32, size, 0, 0);

	return sent < 0 ? sent : call32(337, ends[1], OBJECT32, size, MSG_DONTWAIT, 0);
}

OPERATION(once(size), .setup = setup, .each = sizeof(struct mmsg32));
