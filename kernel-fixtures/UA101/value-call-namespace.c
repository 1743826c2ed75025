// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call in a value has a call with "user" in its name as an argument
 * Row: calls in value arguments
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static u32 own_user_ns(const struct karg *k)
{
	return k->b;
}

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(encode(own_user_ns(k)), &u->a))	/* want: UA101 rewrite prepared 2 u write */
		return -EFAULT;
	if (put_user(k->c, &u->b))
		return -EFAULT;

	return 0;
}
