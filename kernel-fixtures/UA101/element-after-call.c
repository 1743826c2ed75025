// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call before the window does not change which element is accessed
 * Row: the base pointer itself is in memory
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *to = u->pts;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(k->pts); i++) {
		audit(k);
		if (put_user(k->a, &to[i].x))	/* want: UA101 rewrite prepared 2 to write */
			return -EFAULT;
		if (put_user(k->b, &to[i].y))
			return -EFAULT;
	}

	return 0;
}
