// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the permission check that the mail of 2011-05-12 is about
 * Row: loads of 2011
 */
#include <fixture/arguments.h>
#include <fixture/cred_2011.h>
#include <linux/uaccess.h>

#define MAY_ALL		7

static int other(const struct inode *inode, int mask)
{
	mode_t mode = inode->i_mode;

	if (current_user_ns() == inode_userns(inode)) {	/* want: LD301 report - 2 current->cred - */
		if (current_fsuid() == inode->i_uid)
			mode >>= 6;
		else if (in_group_p(inode->i_gid))
			mode >>= 3;
	}

	/* What is asked for and not there */
	if ((mask & ~mode & MAY_ALL) == 0)
		return 0;
	return -EACCES;
}

int subject(struct karg *k, struct uarg __user *u)
{
	struct inode inode = {
		.i_mode = k->h0,
		.i_uid = k->a & 1,
		.i_gid = k->b & 7,
	};
	int error = other(&inode, k->c);

	if (error)
		return error;
	return put_user(k->d, &u->d);
}
