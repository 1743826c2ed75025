// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: signalfd_read_iter
 * Options: SIGNALFD
 */
#include "bench.h"
#include <signal.h>
#include <sys/signalfd.h>

static int file;

static long made(void)
{
	/* The signal is read, so that each call has one. */
	syscall(SYS_kill, getpid(), SIGUSR1);
	return syscall(SYS_read, file, object, 128);
}

static int setup(int size)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	file = signalfd(-1, &set, SFD_NONBLOCK);
	return file;
}

OPERATION(made(), .setup = setup, .fixed = 128);
