// SPDX-License-Identifier: GPL-2.0
/*
 * Title: fields of the credentials around a call
 * Row: hoisting the credentials
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_fsuid().val;	/* want: LD301 rewrite prepared 2 current->cred - */
	audit(k);
	k->b = current_fsgid().val;

	return put_user(k->a, &u->a);
}
