// SPDX-License-Identifier: GPL-2.0
/*
 * Title: credentials that a pointer to a function changes
 * Row: callees that can be named
 * Twin: credential-member
 */
#include <fixture/arguments.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

static const struct cred *(*take_on)(const struct cred *) = override_creds;

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 report credentials-change 2 current->cred - */
	take_on(kernel_cred());
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
