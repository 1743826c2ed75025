// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: descriptor
 * Sizes: 1 8 64
 * Reaches: do_sys_poll
 * Machines: x86-64 powerpc-e500
 * Options: EVENTFD
 */
#include "bench.h"
#include <poll.h>
#include <sys/eventfd.h>

static int setup(int size)
{
	struct pollfd *fds = (void *)object;

	for (int n = 0; n < size; n++) {
		fds[n].fd = eventfd(1, 0);
		fds[n].events = POLLIN;
	}
	return fds[0].fd;
}

OPERATION(syscall(SYS_poll, object, size, 0), .setup = setup, .each = sizeof(struct pollfd));
