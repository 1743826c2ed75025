// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the second load is in a scope of other credentials
 * Row: scoped_with_creds()
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 report credentials-change 2 current->cred - */
	scoped_with_kernel_creds()
		k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
