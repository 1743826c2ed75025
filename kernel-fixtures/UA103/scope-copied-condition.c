// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the copy is made in a condition, on some paths
 * Row: pointer-derived
 * Twin: scope-copied
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p, *from = u->words;

	p = from + 1;
	if (k->flag && (p = from))
		k->b = 1;
	if (!user_read_access_begin(from, 2 * sizeof(*from)))	/* want scoped: UA103 report pointer-derived 1 from read */
		return -EFAULT;
	unsafe_get_user(k->a, p, efault);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
