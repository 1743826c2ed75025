// SPDX-License-Identifier: GPL-2.0
/*
 * Title: no initializer reads the pointer before the test that it may be read
 * Row: base pointer itself in memory
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!k || put_user(k->a, &k->user->a) ||	/* want: UA101 rewrite prepared 3 k->user write */
	    put_user(k->b, &k->user->b) ||
	    put_user(k->c, &k->user->c))
		return -EFAULT;

	return u ? 0 : 1;
}
