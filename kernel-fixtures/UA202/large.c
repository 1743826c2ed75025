// SPDX-License-Identifier: GPL-2.0
/*
 * Title: more than 32 bytes in a hot function
 * Row: size
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct path {
		u32 way[12];
	} path;

	if (copy_from_user(&path, u->words, sizeof(u->words) + 16))
		return -EFAULT;
	k->a = path.way[11];
	return 0;
}
