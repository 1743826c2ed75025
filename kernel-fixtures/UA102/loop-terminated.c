// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the loop ends where user memory says
 * Row: loop without a bound
 * Shape: F
 * Twin: loop-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u8 __user *p = (u8 __user *)u;
	unsigned int n = 0;
	u8 c;

	do {
		if (get_user(c, &p[n]))	/* want: UA102 report loop-form - p read */
			return -EFAULT;
		n++;
	} while (c);

	k->total = n;
	return 0;
}
