// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: operation
 * Sizes: 1 8
 * Reaches: do_semtimedop
 * Options: SYSVIPC
 */
#include "bench.h"
#include <sys/sem.h>

static int set;

static void removed(void)
{
	semctl(set, 0, IPC_RMID);
}

/* struct sembuf: number, operation and flags, all 0: waits for zero, which it is. */
static int setup(int size)
{
	set = syscall(SYS_semget, 0, 8, 0600);
	atexit(removed);
	return set;
}

OPERATION(syscall(SYS_semtimedop, set, object, size, NULL), .setup = setup, .each = 6);
