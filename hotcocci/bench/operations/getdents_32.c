// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: entry
 * Sizes: 8 64
 * Reaches: compat_filldir
 * Machines: x86-64
 * Options: SHMEM TMPFS IA32_EMULATION
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
	return call32(141, folder, OBJECT32, 64 + 40 * size, 0, 0);
}

OPERATION(once(size), .setup = setup, .fixed = 64, .each = 40);
