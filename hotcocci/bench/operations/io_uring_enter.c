// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: sys_io_uring_enter
 * Options: IO_URING
 */
#include "bench.h"

static int ring;

/* struct io_uring_getevents_arg of linux/io_uring.h */
struct extended {
	uint64_t mask;
	uint32_t mask_size, wait_usec;
	uint64_t time;
};

static int setup(int size)
{
	static char parameters[120];

	((struct extended *)object)->mask_size = 8;
	ring = syscall(SYS_io_uring_setup, 4, parameters);
	return ring;
}

/* Waits for no event, with the extended argument. */
OPERATION(syscall(SYS_io_uring_enter, ring, 0, 0, 9, object, sizeof(struct extended)),
	  .setup = setup, .fixed = sizeof(struct extended));
