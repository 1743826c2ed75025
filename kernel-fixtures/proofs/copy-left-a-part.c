// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy that faults leaves what it has loaded, an access zeroes
 * Sampled: a function that is called after the fault may look at what was not zeroed
 * Verdict: permitted
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
