// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper of the file takes on other credentials
 * Row: callees that can be named
 * Twin: credential-fields
 */
#include <fixture/arguments.h>
#include <linux/cred.h>
#include <linux/uaccess.h>

static void take_on(struct cred *other)
{
	if (other)
		commit_creds(other);
}

static void become_other(struct karg *k)
{
	take_on(prepare_creds());
	audit(k);
}

int subject(struct karg *k, struct uarg __user *u)
{
	k->a = current_uid().val;	/* want: LD301 report credentials-change 2 current->cred - */
	become_other(k);
	k->b = current_gid().val;

	return put_user(k->a, &u->a);
}
