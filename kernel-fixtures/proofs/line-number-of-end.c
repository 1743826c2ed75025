// SPDX-License-Identifier: GPL-2.0
/*
 * Title: __LINE__ is passed to a call of several lines that moves up
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int check(struct karg *k, u32 a, u32 b, int line);

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_from_user(&k->q0, &u->q0,
			   sizeof(k->q0)))
		return -EFAULT;

	return check(k,
		     k->a,
		     k->b, __LINE__);
}
