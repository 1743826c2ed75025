// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: do_readlinkat
 * Options: SHMEM TMPFS
 */
#include "bench.h"

static int setup(int size)
{
	(void)size;
	return symlink("somewhere", "link");
}

static long once(int size)
{
	(void)size;
	return syscall(SYS_readlink, "link", object, 64);
}

OPERATION(.setup = setup, .once = once, .fixed = 64);
