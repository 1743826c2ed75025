// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: event
 * Sizes: 1 8 64
 * Reaches: do_epoll_wait
 * Options: EPOLL EVENTFD
 */
#include "bench.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int epoll;

static int setup(int size)
{
	epoll = epoll_create1(0);
	for (int n = 0; n < size; n++) {
		struct epoll_event event = { .events = EPOLLIN, .data.u64 = n * 0x0101010101010101 };

		if (epoll_ctl(epoll, EPOLL_CTL_ADD, eventfd(1, 0), &event) < 0)
			return -1;
	}
	return epoll;
}

static long once(int size)
{
#ifdef SYS_epoll_wait
	return syscall(SYS_epoll_wait, epoll, object, size, 0);
#else
	return syscall(SYS_epoll_pwait, epoll, object, size, 0, NULL);
#endif
}

OPERATION(once(size), .setup = setup, .each = sizeof(struct epoll_event));
