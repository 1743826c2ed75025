// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another loop of the function stays as it is
 * Row: what stays beside a window
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	int i;

	for (i = 0; i < 4; i++) {
		if (put_user(k->a, &p[i]))	/* want: UA102 rewrite manual 1 p write */
			return -EFAULT;
	}
	for (i = 0; i < 4; i++) {
		audit(k);
		if (put_user(k->b, &p[i]))	/* want: UA102 report call-between 1 p write */
			return -EFAULT;
	}
	return 0;
}
