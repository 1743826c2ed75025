// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a faulting copy keeps what it loaded, a faulting access zeroes
 * Unproven: a call after the fault may read the destination that was not zeroed
 * Verdict: not proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (copy_from_user(&k->q0, &u->q0, sizeof(k->q0))) {
		audit(k);
		return -EFAULT;
	}

	return 0;
}
