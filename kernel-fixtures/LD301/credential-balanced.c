// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper that puts the credentials back
 * Row: callees that can be named
 * Twin: credential-member
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

static void as_kernel(struct karg *k)
{
	const struct cred *old = override_creds(kernel_cred());

	k->c = current_uid().val;
	revert_creds(old);
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 report credentials-change 2 current->cred - */
	as_kernel(k);
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
