/* SPDX-License-Identifier: GPL-2.0 */
/* A client of binder, and another process that is the manager and answers nothing. */
#ifndef BINDER_H
#define BINDER_H

#include <linux/android/binder.h>
#include <linux/android/binderfs.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>

/* The client; negative if there is no binder. */
static inline int binder(void)
{
	struct binderfs_device device = { .name = "bench" };
	int ready[2];
	char done;

	mkdir("/tmp/binder", 0755);
	if (mount("binder", "/tmp/binder", "binder", 0, NULL) < 0 || pipe(ready) < 0)
		return -1;
	ioctl(open("/tmp/binder/binder-control", O_RDONLY), BINDER_CTL_ADD, &device);
	if (fork() == 0) {
		int manager = open("/tmp/binder/bench", O_RDWR);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		mmap(NULL, 1 << 22, PROT_READ, MAP_PRIVATE, manager, 0);
		if (ioctl(manager, BINDER_SET_CONTEXT_MGR, 0) < 0 || write(ready[1], "", 1) < 0)
			_exit(1);
		close(ready[1]);
		pause();
	}
	close(ready[1]);
	return read(ready[0], &done, 1) == 1 ? open("/tmp/binder/bench", O_RDWR) : -1;
}

#endif
