// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: part
 * Sizes: 1 8
 * Reaches: vfs_readv import_iovec
 * Options: SHMEM TMPFS
 */
#include "bench.h"
#include <sys/uio.h>

static int file;
static char buffer[64];

static int setup(int size)
{
	struct iovec *parts = (void *)object;

	for (int n = 0; n < size; n++)
		parts[n] = (struct iovec){ buffer, 8 };
	file = open("bench", O_RDWR | O_CREAT, 0600);
	return file < 0 ? -1 : pwrite(file, buffer, sizeof(buffer), 0);
}

OPERATION(syscall(SYS_preadv, file, object, size, 0, 0),
	  .setup = setup, .each = sizeof(struct iovec));
