// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is read outlives the function: a fault leaves zero in it
 * Row: zero on a fault
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_from_user(&k->a, &u->a, sizeof(k->a)))	/* want: UA201 rewrite prepared 1 &u->a read */
		return -EFAULT;
	return 0;
}
