// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: inotify_read
 * Options: INOTIFY_USER SHMEM TMPFS
 */
#include "bench.h"
#include <sys/inotify.h>

static int watch;

static long made(void)
{
	close(open("watched", O_RDONLY));
	return syscall(SYS_read, watch, object, 64);
}

static int setup(int size)
{
	close(open("watched", O_CREAT | O_WRONLY, 0600));
	watch = inotify_init1(IN_NONBLOCK);
	return watch < 0 ? -1 : inotify_add_watch(watch, "watched", IN_OPEN);
}

OPERATION(made(), .setup = setup, .fixed = 64);
