// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a long has four bytes where eight cannot be fetched
 * Row: size and type of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned long __user *p = (unsigned long __user *)&u->q0;
	unsigned long l;

	if (copy_from_user(&l, p, sizeof(l)))	/* want: UA201 rewrite safe 1 p read */
		return -EFAULT;
	k->l0 = l;
	return 0;
}
