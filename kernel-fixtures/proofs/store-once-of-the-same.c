// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a volatile store of the value that is there is left out
 * Verdict: not proven
 * Says: volatile store
 * Unproven: a run does not see that a store is volatile
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
		WRITE_ONCE(k->a, 5);
	return err;
}
