// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: fcntl_setlk
 * Options: FILE_LOCKING SHMEM TMPFS
 */
#include "bench.h"

static int file;

static int setup(int size)
{
	((struct flock *)object)->l_type = F_RDLCK;
	file = open("bench", O_RDWR | O_CREAT, 0600);
	return file;
}

OPERATION(syscall(SYS_fcntl, file, F_SETLK, object), .setup = setup, .fixed = 32);
