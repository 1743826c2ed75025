// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a macro of the file overrides the credentials
 * Row: callees that can be named
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

#define BECOME_KERNEL()	override_creds(kernel_cred())

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 report credentials-change 2 current->cred - */
	BECOME_KERNEL();
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
