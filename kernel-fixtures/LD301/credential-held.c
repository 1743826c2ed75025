// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local that holds the credentials serves the other load
 * Row: unusual-form
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	const struct cred *own = current_cred();	/* want: LD301 report unusual-form 2 current->cred - */

	k->a = from_kuid(own->user_ns, own->uid);
	k->b = current_fsgid().val;

	return put_user(k->a, &u->a);
}
