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
	int ready[2], client;
	char done;

	mkdir("binder", 0755);
	if (mount("binder", "binder", "binder", 0, NULL) < 0 || pipe(ready) < 0)
		return -1;
	ioctl(open("binder/binder-control", O_RDONLY), BINDER_CTL_ADD, &device);
	if (fork() == 0) {
		int manager = open("binder/bench", O_RDWR);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		mmap(NULL, 1 << 22, PROT_READ, MAP_PRIVATE, manager, 0);
		if (ioctl(manager, BINDER_SET_CONTEXT_MGR, 0) < 0 || write(ready[1], "", 1) < 0)
			_exit(1);
		close(ready[1]);
		pause();
	}
	close(ready[1]);
	client = read(ready[0], &done, 1) == 1 ? open("binder/bench", O_RDWR) : -1;
	/* Stays as long as its files are open. */
	umount2("binder", MNT_DETACH);
	return client;
}

#endif
