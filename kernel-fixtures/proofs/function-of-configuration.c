// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a size is read as only 64-bit machines may
 * Verdict: not proven
 * Says: i_size_read\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/fs.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return i_size_read((struct inode *)k) > 5;
}
