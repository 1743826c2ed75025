// SPDX-License-Identifier: GPL-2.0
/*
 * Title: as wide as a register
 * Row: size and type of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned long __user *p = (unsigned long __user *)&u->q0;

	if (copy_to_user(p, &k->l0, sizeof(long)))	/* want: UA201 rewrite safe 1 p write */
		return -EFAULT;
	return 0;
}
