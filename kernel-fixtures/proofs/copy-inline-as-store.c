// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy that is inline goes, and with it what processors without fast copies call
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 value = k->a;

	if (__copy_to_user(&u->a, &value, sizeof(value)))
		return -EFAULT;
	return 0;
}
