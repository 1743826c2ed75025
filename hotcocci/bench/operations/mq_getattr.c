// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_mq_getsetattr
 * Options: POSIX_MQUEUE
 */
#include "bench.h"

static int queue;

static int setup(int size)
{
	queue = syscall(SYS_mq_open, "bench", O_RDWR | O_CREAT, 0600, NULL);
	/* Stays as long as it is open. */
	syscall(SYS_mq_unlink, "bench");
	return queue;
}

OPERATION(syscall(SYS_mq_getsetattr, queue, NULL, object), .setup = setup, .fixed = 64);
