// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: message
 * Sizes: 1
 * Reaches: put_cmsg
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
	int on = 1;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0)
		return -1;
	return setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
}

static long once(int size)
{
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = object, .msg_controllen = 64,
	};

	if (write(ends[0], &byte, 1) < 0)
		return -1;
	return syscall(SYS_recvmsg, ends[1], &message, MSG_DONTWAIT);
}

OPERATION(once(size), .setup = setup, .fixed = 64);
