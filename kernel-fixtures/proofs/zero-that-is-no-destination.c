// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memory other than the destination is zeroed after a fault
 * Verdict: not proven
 * Says: kernel memory
 * Unproven: a run does not tell which of the bytes a fault may leave unwritten
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;

	if (get_user(a, &u->a) || get_user(b, &u->b)) {
		k->flag = 0;
		return -EFAULT;
	}
	k->total = a + b;

	return 0;
}
