// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the copy is stepped before the window
 * Row: pointer-derived
 * Twin: scope-copied
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p, *from = u->words;

	p = from;
	p++;
	if (!user_read_access_begin(from, 2 * sizeof(*from)))	/* want scoped: UA103 report pointer-derived 1 from read */
		return -EFAULT;
	unsafe_get_user(k->a, p, efault);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
