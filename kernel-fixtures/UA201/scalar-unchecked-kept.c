// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault in a copy that checks no range leaves what the object held
 * Row: values zeroed or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (__copy_from_user(&k->a, &u->a, sizeof(k->a)))	/* want: UA201 rewrite prepared 1 &u->a read */
		return -EFAULT;
	audit(k);
	if (__copy_from_user(&k->b0, &u->b0, 1))	/* want: UA201 rewrite prepared 1 &u->b0 read */
		return -EFAULT;
	return 0;
}
