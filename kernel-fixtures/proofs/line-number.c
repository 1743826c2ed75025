// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call is given the number of its line, and there is one line less before it
 * Verdict: permitted
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int check(struct karg *k, int line);

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_from_user(&k->q0, &u->q0,
			   sizeof(k->q0)))
		return -EFAULT;

	return check(k, __LINE__);
}
