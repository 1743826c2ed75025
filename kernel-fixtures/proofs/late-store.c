// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store of 0 to something else moves before the check
 * Verdict: not proven
 * Says: kernel memory
 * Unproven: a run does not tell which of the bytes a fault may leave unwritten
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!access_ok(&u->a, sizeof(u->a)))
		return -EFAULT;
	k->total = 0;
	if (__get_user(k->a, &u->a))
		return -EFAULT;

	return 0;
}
