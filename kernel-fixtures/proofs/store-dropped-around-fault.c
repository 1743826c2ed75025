// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store that others see during an access is dropped
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->flag = 1;
	barrier();
	if (put_user(k->a, &u->a)) {
		k->flag = 0;
		return -EFAULT;
	}
	k->flag = 0;
	return 0;
}
