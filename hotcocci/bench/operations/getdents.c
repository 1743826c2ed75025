// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: entry
 * Sizes: 8 64
 * Reaches: filldir
 * Machines: x86-64 powerpc-e500
 * Options: SHMEM TMPFS
 */
#include "bench.h"
#include <sys/stat.h>

static int folder;

static int setup(int size)
{
	char name[32];

	mkdir("/tmp/folder", 0700);
	for (int n = 0; n < size; n++) {
		snprintf(name, sizeof(name), "/tmp/folder/file-%d", n);
		close(open(name, O_CREAT | O_WRONLY, 0600));
	}
	folder = open("/tmp/folder", O_RDONLY | O_DIRECTORY);
	return folder;
}

static long once(int size)
{
	lseek(folder, 0, SEEK_SET);
	return syscall(SYS_getdents, folder, object, 64 + 40 * size);
}

OPERATION(.setup = setup, .once = once, .fixed = 64, .each = 40);
