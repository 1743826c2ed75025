// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a cast to void * says nothing of the object
 * Row: the whole object
 * Twin: scalar-kernel-cast
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_from_user((void *)&k->a, u->words, sizeof(u32)))	/* want: UA201 report untyped 1 u->words read */
		return -EFAULT;
	return 0;
}
