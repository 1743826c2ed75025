// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a result that only a fault causes, though it is no error number
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (get_user(k->a, &u->a))
		return 1;
	return 0;
}
