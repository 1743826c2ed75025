// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a configuration leaves the run out, and a variable for its pointer would be unused
 * Row: base pointer itself in memory, several #ifdef branches
 * Shape: A
 * Twin: base-in-memory
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
#ifdef CONFIG_64BIT
	if (put_user(k->a, &k->user->a) ||	/* want: UA101 report ifdef 3 k->user write */
	    put_user(k->b, &k->user->b) ||
	    put_user(k->c, &k->user->c))
		return -EFAULT;
#endif

	return 0;
}
