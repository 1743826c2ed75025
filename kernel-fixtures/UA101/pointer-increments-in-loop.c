// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer goes on advancing in the next iteration, above
 * Row: constant stride
 * Shape: I
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	int rounds = 3;

	while (rounds--) {
		if (put_user(k->a, p++))	/* want: UA101 rewrite prepared 2 p write */
			return -EFAULT;
		if (put_user(k->b, p++))
			return -EFAULT;
		audit(k);
	}

	return 0;
}
