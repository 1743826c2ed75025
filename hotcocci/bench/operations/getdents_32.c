// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: entry
 * Sizes: 8 64
 * Reaches: compat_filldir
 * Machines: x86-64
 * Options: SHMEM TMPFS IA32_EMULATION
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
	return call32(141, folder, OBJECT32, 64 + 40 * size, 0, 0);
}

OPERATION(.setup = setup, .once = once, .fixed = 64, .each = 40);
