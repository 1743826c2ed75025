/* SPDX-License-Identifier: GPL-2.0 */
/* A folder with empty files. */
#ifndef FOLDER_H
#define FOLDER_H

#include <sys/stat.h>

/* The folder with this many files; negative if there is none. */
static inline int folder_of(int files)
{
	char name[32];

	mkdir("folder", 0700);
	for (int n = 0; n < files; n++) {
		snprintf(name, sizeof(name), "folder/file-%d", n);
		close(open(name, O_CREAT | O_WRONLY, 0600));
	}
	return open("folder", O_RDONLY | O_DIRECTORY);
}

#endif
