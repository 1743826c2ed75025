// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: message
 * Sizes: 1
 * Reaches: ___sys_sendmsg ___sys_recvmsg
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
	struct msghdr *message = (void *)object;

	message->msg_iov = &part;
	message->msg_iovlen = 1;
	return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
}

static long once(int size)
{
	long sent = syscall(SYS_sendmsg, ends[0], object, 0);

	return sent < 0 ? sent : syscall(SYS_recvmsg, ends[1], object, MSG_DONTWAIT);
}

OPERATION(once(size), .setup = setup, .fixed = sizeof(struct msghdr));
