// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a flag that others can see while the access sleeps is no longer set
 * Verdict: not proven
 * Unproven: it is wrong; the processor sees memory at the end, not while an access waits
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->total = 1;
	if (put_user(k->a, &u->a)) {
		k->total = 0;
		return -EFAULT;
	}
	k->total = 0;
	return 0;
}
