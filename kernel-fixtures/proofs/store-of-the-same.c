// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store of the value that is there is left out
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = put_user(1, &u->a);

	if (k->a == 5) {
		k->a = 5;
		k->total++;
	}
	return err;
}
