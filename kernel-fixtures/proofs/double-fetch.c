// SPDX-License-Identifier: GPL-2.0
/*
 * Title: user memory is fetched again after the check
 * Verdict: different
 * Says: user load 4
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 len, b;

	if (get_user(len, &u->len) || get_user(b, &u->b))
		return -EFAULT;
	if (len > 16)
		return -EINVAL;

	k->total = len + b;
	return 0;
}
