// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the partial data of a faulting copy decides the result
 * Verdict: different
 * Says: returned
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 first;

	if (copy_from_user(&first, &u->q0, sizeof(first)))
		audit(k);

	return first ? 1 : 0;
}
