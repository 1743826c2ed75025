// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: byte
 * Sizes: 8 64 1024
 * Reaches: vfs_read shmem_file_read_iter
 * Options: SHMEM TMPFS
 */
#include "bench.h"

static int file;

static int setup(int size)
{
	file = open("bench", O_RDWR | O_CREAT, 0600);
	return file < 0 ? -1 : pwrite(file, object, size, 0);
}

/* The offset has up to three words. */
OPERATION(syscall(SYS_pread64, file, object, size, 0, 0, 0), .setup = setup, .each = 1);
