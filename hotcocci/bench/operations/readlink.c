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
	return symlink("somewhere", "link");
}

OPERATION(syscall(SYS_readlink, "link", object, 64), .setup = setup, .fixed = 64);
