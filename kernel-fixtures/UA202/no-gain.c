// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an architecture that opens nothing
 * Row: gain
 * Twin: struct-read
 * Path: arch/sparc/kernel
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *from = &u->pos;
	struct point where;

	if (copy_from_user(&where, from, sizeof(where)))	/* want: UA202 report no-gain-arch 1 from read */
		return -EFAULT;
	k->pos = where;
	return 0;
}
