// SPDX-License-Identifier: GPL-2.0
/*
 * Title: dput() and iput() do nothing for NULL
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/uaccess.h>

int drop(struct dentry *dentry, struct inode *inode, u32 __user *u);

int drop(struct dentry *dentry, struct inode *inode, u32 __user *u)
{
	int err = put_user(1, u);

	if (dentry)
		dput(dentry);
	if (inode)
		iput(inode);
	return err;
}
