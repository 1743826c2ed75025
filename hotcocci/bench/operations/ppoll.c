// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_ppoll|sys_ppoll_time32 poll_select_finish
 * Bytes: times
 */
#include "bench.h"
#include <poll.h>
#include <time.h>

/* The time first: what is left of it is written back. */
struct asked {
	struct timespec time;
	struct pollfd fd;
};

static long once(int size)
{
	struct asked *asked = (void *)object;

	return syscall(SYS_ppoll, &asked->fd, 0, &asked->time, NULL, 8);
}

OPERATION(once(size), .fixed = sizeof(struct asked));
