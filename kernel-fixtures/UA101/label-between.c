// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a jump from below comes back into the middle: the run begins there
 * Row: separate ifs, the same exit
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int round = 0;

	if (put_user(k->a, &u->a))
		return -EFAULT;
again:
	if (put_user(k->b, &u->b))	/* want: UA101 rewrite manual 2 u write */
		return -EFAULT;
	if (put_user(k->c, &u->c))
		return -EFAULT;

	k->b++;
	if (++round < 2)
		goto again;
	return 0;
}
