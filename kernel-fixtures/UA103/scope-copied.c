// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the accesses use a copy of the pointer, as in emulate_spe()
 * Row: pointer-derived
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct uarg __user *p;

	k->total = 1;
	p = u;

	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report pointer-derived 2 u read */
		return -EFAULT;
	unsafe_get_user(k->a, &p->a, efault);
	unsafe_get_user(k->b, &p->b, efault);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
