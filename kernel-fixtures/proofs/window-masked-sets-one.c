// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a masked begin, and a one that only the new code stores on a fault
 * Verdict: not proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_read_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_get_user(k->a, &u->a, efault);
	unsafe_get_user(k->b, &u->b, efault);
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
