// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is made an error of the bytes left is what an access gives
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret;

	ret = copy_from_user(&k->a, &u->a, sizeof(k->a)) ? -EFAULT : 0;	/* want: UA201 rewrite prepared 1 &u->a read */
	if (ret)
		return ret;
	ret = copy_from_user(&k->b, &u->b,	/* want: UA201 rewrite prepared 1 &u->b read */
			     sizeof(k->b)) ? - EFAULT : 0;
	if (ret)
		return ret;
	return copy_to_user(&u->c, &k->c, sizeof(k->c)) ? -EFAULT : 0;	/* want: UA201 rewrite safe 1 &u->c write */
}
