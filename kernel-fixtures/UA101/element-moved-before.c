// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer moves before the window
 * Row: the base pointer itself is in memory
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *to = u->pts;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (k->flag)
			to++;
		audit(k);
		if (put_user(k->a, &to[i].x))	/* want: UA101 rewrite prepared 2 to write */
			return -EFAULT;
		if (put_user(k->b, &to[i].y))
			return -EFAULT;
	}

	return 0;
}
