// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two functions of one file, each with a label of its own
 * Row: separate ifs, the same exit
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static int load(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	if (get_user(a, &u->a) || get_user(b, &u->b))	/* want: UA101 rewrite safe 2 u read */
		return -EFAULT;

	k->total = a + b;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->c, &u->c) || put_user(k->d, &u->d))	/* want: UA101 rewrite safe 2 u write */
		return -EFAULT;

	return load(k, u);
}
