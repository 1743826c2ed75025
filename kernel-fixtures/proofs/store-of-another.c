// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store of another value is left out
 * Verdict: different
 * Says: kernel memory
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = put_user(1, &u->a);

	if (k->a == 5) {
		k->a = 4;
		k->total++;
	}
	return err;
}
