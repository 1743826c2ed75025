// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: futex
 * Sizes: 1 8
 * Reaches: sys_futex_waitv
 * Options: FUTEX
 */
#include "bench.h"

static int words[8];

/* struct futex_waitv of linux/futex.h */
struct waited {
	uint64_t value, address;
	uint32_t flags, reserved;
};

static int setup(int size)
{
	struct waited *waited = (void *)object;

	/* The last one has another value, so that the call does not sleep. */
	for (int n = 0; n < size; n++)
		waited[n] = (struct waited){ n == size - 1, (uintptr_t)&words[n], 2, 0 };
	return 0;
}

OPERATION(syscall(SYS_futex_waitv, object, size, 0, NULL, 0),
	  .setup = setup, .each = sizeof(struct waited));
