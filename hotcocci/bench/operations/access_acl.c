// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: posix_acl_permission
 * Options: SHMEM TMPFS TMPFS_POSIX_ACL MULTIUSER
 */
#include "bench.h"
#include <linux/posix_acl_xattr.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static int setup(int size)
{
	static const struct {
		struct posix_acl_xattr_header head;
		struct posix_acl_xattr_entry entries[5];
	} list = {
		{ POSIX_ACL_XATTR_VERSION },
		/* The owner, user 1000, the group, the mask, others */
		{ { 1, 7, -1 }, { 2, 7, 1000 }, { 4, 0, -1 }, { 0x10, 7, -1 }, { 0x20, 0, -1 } },
	};
	int file = open("listed", O_RDWR | O_CREAT, 0700);

	if (file < 0 || fsetxattr(file, "system.posix_acl_access", &list, sizeof(list), 0) < 0)
		return -1;
	/* Where only we may look, as on this machine */
	chmod(".", 0711);
	return syscall(SYS_setresuid, 1000, 1000, 1000);
}

OPERATION(syscall(SYS_access, "listed", R_OK | W_OK), .setup = setup);
