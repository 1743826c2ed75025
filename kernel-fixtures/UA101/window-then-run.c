// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function with a window and its label gets a second window
 * Row: || chain, one base, all -EFAULT
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a;

	if (!user_read_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_get_user(a, &u->a, fault);
	user_read_access_end();

	k->total = a;
	if (put_user(k->b, &u->b) || put_user(k->c, &u->c))	/* want: UA101 rewrite safe 2 u write */
		return -EFAULT;

	return 0;

fault:
	user_read_access_end();
	return -EFAULT;
}
