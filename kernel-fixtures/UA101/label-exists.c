// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the function has a label of that name already
 * Row: separate ifs, the same exit
 * Shape: D
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (k->flag)
		goto efault;
	if (put_user(k->a, &u->a))	/* want: UA101 rewrite safe 3 u write */
		goto efault;
	if (put_user(k->b, &u->b))
		goto efault;
	if (put_user(k->c, &u->c))
		goto efault;

	return 0;

efault:
	k->total++;
	return -EFAULT;
}
