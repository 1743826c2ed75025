// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: message
 * Sizes: 1 8
 * Reaches: __sys_sendmmsg do_recvmmsg
 * Options: NET UNIX
 */
#include "bench.h"
#include <sys/socket.h>
#include <sys/uio.h>

static int ends[2];
static char byte;
static struct iovec part = { &byte, 1 };

static int setup(int size)
{
	struct mmsghdr *messages = (void *)object;

	for (int n = 0; n < size; n++) {
		messages[n].msg_hdr.msg_iov = &part;
		messages[n].msg_hdr.msg_iovlen = 1;
	}
	return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
}

static long once(int size)
{
	long sent = syscall(SYS_sendmmsg, ends[0], object, size, 0);

	return sent < 0 ? sent : syscall(SYS_recvmmsg, ends[1], object, size, MSG_DONTWAIT, NULL);
}

OPERATION(once(size), .setup = setup, .each = sizeof(struct mmsghdr));
