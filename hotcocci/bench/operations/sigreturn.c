// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: signal
 * Sizes: 1
 * Reaches: restore_sigcontext|restore_sigframe|restore_user_regs x64_setup_rt_frame|setup_rt_frame|handle_rt_signal32
 */
#include "bench.h"
#include <signal.h>

static volatile int seen;

static void handler(int number)
{
	seen = number;
}

static int setup(int size)
{
	return signal(SIGUSR1, handler) == SIG_ERR ? -1 : 0;
}

OPERATION(syscall(SYS_kill, getpid(), SIGUSR1), .setup = setup);
