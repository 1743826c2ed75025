// SPDX-License-Identifier: GPL-2.0
/*
 * Title: no scalar is cleared: a structure of eight bytes, a user pointer, memory of no type
 * Row: the type of what is pointed to
 * Twin: clear-scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *p = u;

	if (clear_user(&u->when, sizeof(u->when)))	/* want: UA205 report size-differs 1 &u->when write */
		return -EFAULT;
	audit(k);
	if (clear_user(&u->next, sizeof(u->next)))	/* want: UA205 report size-differs 1 &u->next write */
		return -EFAULT;
	audit(k);
	if (clear_user(p, 4))	/* want: UA205 report type-unknown 1 p write */
		return -EFAULT;

	return 0;
}
