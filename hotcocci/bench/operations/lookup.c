// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: component
 * Sizes: 1 10
 * Reaches: link_path_walk
 * Options: SHMEM TMPFS
 */
#include "bench.h"
#include <sys/stat.h>

static char path[256];

static int setup(int size)
{
	for (int n = 0; n < size; n++) {
		strcat(path, n ? "/component" : "component");
		mkdir(path, 0755);
	}
	return access(path, X_OK);
}

OPERATION(syscall(SYS_access, path, X_OK), .setup = setup);
