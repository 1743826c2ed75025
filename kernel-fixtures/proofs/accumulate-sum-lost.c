// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what was computed from a later access is not stored after a fault
 * Verdict: not proven
 * Says: kernel memory
 * Unproven: a run does not tell which of the bytes a fault may leave unwritten
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b;
	int err;

	err = get_user(a, &u->a);
	err |= get_user(b, &u->b);
	k->total = b + 1;
	if (err)
		return -EFAULT;
	k->a = a;

	return 0;
}
