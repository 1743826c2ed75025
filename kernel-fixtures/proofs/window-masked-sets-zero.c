// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a masked begin, and a zero that only the new code stores on a fault
 * Verdict: not proven
 * Says: kernel memory
 * Unproven: a run does not tell which of the bytes a fault may leave unwritten
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
