// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the member of the task itself
 * Row: loads without an accessor
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current->cred->uid.val;	/* want: LD301 rewrite prepared 2 current->cred - */
	audit(k);
	k->b = current_fsgid().val;

	return put_user(k->a, &u->a);
}
