// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: child
 * Sizes: 1
 * Reaches: kernel_waitid
 */
#include "bench.h"
#include <sys/wait.h>

static int setup(int size)
{
	if (fork() == 0)
		_exit(0);
	return 0;
}

/* The child stays, so that each call has one. */
OPERATION(syscall(SYS_waitid, 0, 0, object, WEXITED | WNOWAIT, NULL),
	  .setup = setup, .fixed = sizeof(siginfo_t));
