// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer to the user pointer, through which the loop moves it
 * Row: the base does not change in the loop
 * Shape: F
 * Twin: loop-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	u32 __user **to = &p;
	int i;

	for (i = 0; i < 4; i++) {
		if (put_user(k->a, &p[i]))	/* want: UA102 report base-changes 1 p write */
			return -EFAULT;
		(*to)++;
	}
	return 0;
}
