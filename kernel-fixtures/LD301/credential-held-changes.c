// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local that holds the credentials is given others
 * Row: a load that is kept already
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	const struct cred *cred = current_cred();	/* want: LD301 report unusual-form 2 current->cred - */

	k->a = from_kuid(cred->user_ns, cred->uid);
	cred = kernel_cred();
	k->b = current_fsgid().val + cred->uid.val;

	return put_user(k->a, &u->a);
}
