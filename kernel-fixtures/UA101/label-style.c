// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the file's own way of naming such labels
 * Row: separate ifs, the same exit
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static int load_pair(struct karg *k, struct uarg __user *u)
{
	u32 d;

	if (get_user(d, &u->d))
		goto user_fault;
	k->d = d;
	return 0;

user_fault:
	return -EFAULT;
}

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))	/* want: UA101 rewrite safe 3 u write */
		return -EFAULT;
	if (put_user(k->b, &u->b))
		return -EFAULT;
	if (put_user(k->c, &u->c))
		return -EFAULT;

	return load_pair(k, u);
}
