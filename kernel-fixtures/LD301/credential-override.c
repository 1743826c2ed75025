// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the credentials are overridden between
 * Row: override_creds()
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	const struct cred *old;

	k->a = current_uid().val;	/* want: LD301 report credentials-change 2 current->cred - */
	old = override_creds(kernel_cred());
	k->b = current_gid().val;
	revert_creds(old);

	return put_user(k->a, &u->a);
}
