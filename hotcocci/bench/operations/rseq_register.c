// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: thread
 * Sizes: 1
 * Reaches: sys_rseq
 * Options: RSEQ
 */
#include "bench.h"
#include <sys/rseq.h>

static int setup(int size)
{
	struct rseq *own = (void *)((char *)__builtin_thread_pointer() + __rseq_offset);

	return __rseq_size ? syscall(SYS_rseq, own, 32, RSEQ_FLAG_UNREGISTER, RSEQ_SIG) : 0;
}

static long once(int size)
{
	long result = syscall(SYS_rseq, object, 32, 0, RSEQ_SIG);

	return result < 0 ? result : syscall(SYS_rseq, object, 32, RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
}

OPERATION(once(size), .setup = setup);
