// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store of the value that is there is left out before a call
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

extern int wait(struct karg *k);

int subject(struct karg *k, struct uarg __user *u)
{
	int err = put_user(1, &u->a);
	u32 was = k->a;

	if (was == 5)
		k->a = 5;
	wait(k);
	k->b = was;
	return err;
}
