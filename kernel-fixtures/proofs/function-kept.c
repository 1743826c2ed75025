// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a size is compared the other way round
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/fs.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return i_size_read((struct inode *)k) > 5;
}
