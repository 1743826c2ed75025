// SPDX-License-Identifier: GPL-2.0
/*
 * Title: memory other than the destination is zeroed after a fault
 * Verdict: different
 * Says: kernel memory
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
