// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: word
 * Sizes: 1
 * Reaches: ptrace_access_vm|generic_ptrace_peekdata
 */
#include "bench.h"
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static pid_t child;
static long word;

static int setup(int size)
{
	child = fork();
	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	if (waitpid(child, NULL, 0) < 0)
		return -1;
	return ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_EXITKILL);
}

OPERATION(syscall(SYS_ptrace, PTRACE_PEEKDATA, child, &word, object), .setup = setup, .fixed = 8);
