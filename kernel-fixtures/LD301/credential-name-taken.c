// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the name is in use
 * Row: a name that clashes with nothing
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 cred = k->a;

	k->a = current_uid().val + cred;	/* want: LD301 rewrite prepared 2 current->cred - */
	audit(k);
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
