// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_pselect6|sys_pselect6_time32
 * Bytes: times
 */
#include "bench.h"

/* The sixth argument: a pointer to a mask, and its size. */
struct asked {
	uint64_t mask, size;
	int64_t seconds, nanoseconds;
};

static long once(int size)
{
	struct asked *asked = (void *)object;

	return syscall(SYS_pselect6, 0, NULL, NULL, NULL, &asked->seconds, asked);
}

OPERATION(once(size), .fixed = sizeof(struct asked));
