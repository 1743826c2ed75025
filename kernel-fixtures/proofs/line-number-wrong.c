// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number passed to a call no longer matches its line
 * Verdict: different
 * Says: check
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
