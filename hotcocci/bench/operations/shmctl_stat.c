// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: ksys_shmctl
 * Options: SYSVIPC SHMEM TMPFS
 * Bytes: times
 */
#include "bench.h"
#include <sys/shm.h>

static int segment;

static int setup(int size)
{
	segment = syscall(SYS_shmget, 0, 4096, 0600);
	/* Stays as long as it is mapped. */
	shmat(segment, NULL, 0);
	shmctl(segment, IPC_RMID, NULL);
	return segment;
}

OPERATION(syscall(SYS_shmctl, segment, IPC_STAT, object), .setup = setup, .fixed = 112);
