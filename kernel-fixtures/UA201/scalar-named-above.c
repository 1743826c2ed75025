// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a comment above the only call names the routine
 * Row: comments kept
 * Twin: scalar-named
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	/*
	 * copy_to_user() may sleep: the flag
	 * goes first
	 */
	k->flag = 0;
	if (copy_to_user(&u->a, &k->a, sizeof(k->a)))	/* want: UA201 rewrite safe 1 &u->a write */
		return -EFAULT;
	return 0;
}
