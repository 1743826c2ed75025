// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: signal
 * Sizes: 1
 * Reaches: __rseq_handle_notify_resume|__rseq_signal_deliver
 * Options: RSEQ
 */
#include "bench.h"
#include <signal.h>
#include <sys/rseq.h>

/* A critical section that the program is not in, with the signature before the handler of its abort. */
static const struct {
	uint32_t signature, handler;
} aborted = { RSEQ_SIG, 0 };
static struct rseq_cs section = { .start_ip = 1, .post_commit_offset = 1 };

static void handler(int number)
{
}

static int setup(int size)
{
	struct rseq *own = (void *)((char *)__builtin_thread_pointer() + __rseq_offset);

	/* The C library's area makes room for the object. */
	if (__rseq_size && syscall(SYS_rseq, own, 32, RSEQ_FLAG_UNREGISTER, RSEQ_SIG) < 0)
		return -1;
	if (syscall(SYS_rseq, object, 32, 0, RSEQ_SIG) < 0)
		return -1;
	section.abort_ip = (uintptr_t)&aborted.handler;
	return signal(SIGUSR1, handler) == SIG_ERR ? -1 : 0;
}

static void before(int size)
{
	((struct rseq *)object)->rseq_cs = (uintptr_t)&section;
}

/* The kernel looks at the area before it delivers a signal, as after a preemption, and forgets the section. */
OPERATION(syscall(SYS_kill, getpid(), SIGUSR1), .setup = setup, .before = before);
