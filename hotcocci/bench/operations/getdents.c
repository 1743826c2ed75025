// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: entry
 * Sizes: 8 64
 * Reaches: filldir
 * Machines: x86-64 powerpc-e500
 * Options: SHMEM TMPFS
 */
#include "bench.h"
#include "folder.h"

static int folder;

static int setup(int size)
{
	folder = folder_of(size);
	return folder;
}

static long once(int size)
{
	lseek(folder, 0, SEEK_SET);
	return syscall(SYS_getdents, folder, object, 64 + 40 * size);
}

OPERATION(once(size), .setup = setup, .fixed = 64, .each = 40);
