// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one ID around a call is stored itself
 * Row: hoisting one ID
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_fsuid().val;	/* want: LD301 rewrite prepared 2 current->cred - */
	audit(k);
	k->b = current_fsuid().val;

	return put_user(k->a, &u->a);
}
