// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a callee may have written, so a store after it is needed
 * Verdict: not proven
 * Says: kernel memory
 */
#include <fixture/arguments.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

extern int wait(struct karg *k);

int subject(struct karg *k, struct uarg __user *u)
{
	int err = put_user(1, &u->a);
	u32 was = k->a;

	wait(k);
	k->a = was;
	return err;
}
